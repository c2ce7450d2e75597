/** A change of one server in a configuration file. */
export type ServerChange =
  | { readonly name: string; readonly server: Readonly<Record<string, unknown>>; readonly replace?: boolean | undefined }
  | { readonly name: string; readonly remove: true }
  | { readonly name: string; readonly enabled: boolean }

/**
 * Writes a server into a configuration file, in the words of that file's host; a file that does not exist is made. Only the server's own
 * lines change: comments and order stay. The file is written at once, and not at all when it could not be read, or changed meanwhile.
 * @throws ConfigError when it has a server of that name, unless `replace` is true, and when the change cannot be made safely.
 */
export async function addServer(
  file: string | URL,
  name: string,
  server: Readonly<Record<string, unknown>>,
  options: { readonly replace?: boolean | undefined } = {},
): Promise<void> {
  await change(file, { name, server, replace: options.replace })
}

/** Takes a server out of a configuration file, with the same care. */
export async function removeServer(file: string | URL, name: string): Promise<void> {
  await change(file, { name, remove: true })
}

/** Switches a server of a configuration file on or off, with the same care. */
export async function enableServer(file: string | URL, name: string, enabled: boolean): Promise<void> {
  await change(file, { name, enabled })
}

async function change(file: string | URL, wanted: ServerChange): Promise<void> {
  if (wanted.name === '') throw new TypeError('a server needs a name')
  await (await import('#files')).editServers(file, wanted)
}
