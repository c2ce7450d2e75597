/** Text in PEM, or bytes. */
export type TlsMaterial = string | Uint8Array

/** Options of TLS, with the names and meanings of `node:tls`. */
export interface TlsOptions {
  /** The authorities to trust instead of the runtime's own; those of `NODE_EXTRA_CA_CERTS` belong to these. */
  readonly ca?: TlsMaterial | readonly TlsMaterial[] | undefined
  /** Our certificate, with those between it and its authority, for a server that wants to know its clients. */
  readonly cert?: TlsMaterial | readonly TlsMaterial[] | undefined
  /** The key of `cert`. */
  readonly key?: TlsMaterial | readonly TlsMaterial[] | undefined
  /** Opens `key` or `pfx`. */
  readonly passphrase?: string | undefined
  /** Certificate and key in one, as PKCS #12. */
  readonly pfx?: TlsMaterial | undefined
  /** Lists of revoked certificates. */
  readonly crl?: TlsMaterial | readonly TlsMaterial[] | undefined
  /** The name that the server's certificate must be for, when it is not the URL's host. */
  readonly servername?: string | undefined
  /** False speaks to a server whoever it is, and tells every secret to whoever stands in between. Default true. */
  readonly rejectUnauthorized?: boolean | undefined
  /** Instead of the check of the name: returns an error for a certificate that is not the server's. */
  readonly checkServerIdentity?: ((hostname: string, certificate: object) => Error | undefined) | undefined
  readonly minVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3' | undefined
  readonly maxVersion?: 'TLSv1' | 'TLSv1.1' | 'TLSv1.2' | 'TLSv1.3' | undefined
  readonly ciphers?: string | undefined
  readonly ecdhCurve?: string | undefined
  readonly sigalgs?: string | undefined
  /** Flags of OpenSSL, from `node:crypto`'s constants. */
  readonly secureOptions?: number | undefined
}

const KEYS: Readonly<Record<keyof TlsOptions, true>> = {
  ca: true,
  cert: true,
  key: true,
  passphrase: true,
  pfx: true,
  crl: true,
  servername: true,
  rejectUnauthorized: true,
  checkServerIdentity: true,
  minVersion: true,
  maxVersion: true,
  ciphers: true,
  ecdhCurve: true,
  sigalgs: true,
  secureOptions: true,
}

/** What is wrong with a value given as `tls`, for a sentence that begins with its name. A key that is misspelt would be a check not made. */
export function tlsProblem(value: unknown): string | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'must be an object'
  const unknown = Object.keys(value).filter((key) => !Object.hasOwn(KEYS, key))
  return unknown.length === 0 ? undefined : `has no ${unknown.join(', ')}; there are ${Object.keys(KEYS).join(', ')}`
}
