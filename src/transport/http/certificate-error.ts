/** What to do about a certificate that was not accepted, by the code of the failure; undefined for other failures. */
export function certificateProblem(code: string): string | undefined {
  if (OURS_REFUSED.has(code)) return 'the server does not accept our certificate, or misses one; give it as `tls.cert` with its `tls.key`'
  if (UNTRUSTED.has(code)) return 'its certificate is not trusted; give the authority as `tls.ca` or in NODE_EXTRA_CA_CERTS'
  return PROBLEMS[code]
}

/** Whether the code is that of a check of ours, after which nothing is sent. */
export function isCertificateCode(code: string): boolean {
  return UNTRUSTED.has(code) || PROBLEMS[code] !== undefined || code.startsWith('ERR_TLS_')
}

/**
 * Whether the server ended the handshake over our certificate. Since TLS 1.3 it may say so when the request is on its way already; a
 * request behind a handshake that failed is read by nobody.
 */
export function isRefusalOfOurs(code: string): boolean {
  return OURS_REFUSED.has(code)
}

const UNTRUSTED: ReadonlySet<string> = new Set([
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'CERT_REJECTED',
  'INVALID_CA',
])

const PROBLEMS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: "its certificate, or its authority's in `tls.ca` or NODE_EXTRA_CA_CERTS, has expired; renew it, and check the clock",
  CERT_NOT_YET_VALID: 'its certificate is not valid yet; check the clock of this machine and of the server',
  CERT_REVOKED: 'its certificate was revoked',
  INVALID_PURPOSE: 'its certificate is not meant for servers',
  ERR_TLS_CERT_ALTNAME_INVALID:
    'its certificate is for another host; use the name that it is for in the URL, or give that name as `tls.servername`',
  HOSTNAME_MISMATCH: 'its certificate is for another host; use the name that it is for in the URL, or give that name as `tls.servername`',
}

const OURS_REFUSED: ReadonlySet<string> = new Set([
  'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
  'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
  'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_EXPIRED',
  'ERR_SSL_SSLV3_ALERT_CERTIFICATE_REVOKED',
  'ERR_SSL_SSLV3_ALERT_UNSUPPORTED_CERTIFICATE',
  'ERR_SSL_SSLV3_ALERT_NO_CERTIFICATE',
])
