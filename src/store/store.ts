/** Keeps texts under keys, for as long as it likes. Every part of this package that remembers something takes one. */
export interface Store {
  get(key: string): Promise<string | undefined>
  set(key: string, value: string): Promise<void>
  delete(key: string): Promise<void>
}
