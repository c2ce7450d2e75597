import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Why no certificates can be made here, or undefined. */
export const noCertificates: string | undefined =
  spawnSync('openssl', ['version']).status === 0 ? undefined : 'there is no openssl command to make certificates with'

export interface Identity {
  readonly cert: string
  readonly key: string
}

/** An authority of a test's own, and what it signed. */
export interface Authority {
  readonly ca: string
  identity(name: string, options?: { days?: number; altNames?: string; passphrase?: string }): Identity
}

/** Makes an authority that nobody trusts. Its files are gone when this returns. */
export function withAuthority<Result>(use: (authority: Authority) => Result): Result {
  const folder = mkdtempSync(join(tmpdir(), 'certificates-'))
  const run = (...args: string[]): string => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' }).toString()
  const read = (file: string): string => readFileSync(join(folder, file), 'utf8')
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1']
  try {
    run('req', '-x509', ...curve, '-nodes', '-keyout', 'ca.key', '-out', 'ca.pem', '-subj', '/CN=Test authority', '-days', '2')
    let made = 0
    return use({
      ca: read('ca.pem'),
      identity(name, { days = 2, altNames = `DNS:${name}`, passphrase } = {}) {
        const n = made++
        const lock = passphrase === undefined ? ['-nodes'] : ['-passout', `pass:${passphrase}`]
        run('req', ...curve, ...lock, '-keyout', `${n}.key`, '-out', `${n}.csr`, '-subj', `/CN=${name}`)
        writeFileSync(join(folder, `${n}.ext`), `subjectAltName=${altNames}\n`)
        const signing = ['-CA', 'ca.pem', '-CAkey', 'ca.key', '-CAcreateserial', '-days', String(days), '-extfile', `${n}.ext`]
        run('x509', '-req', '-in', `${n}.csr`, ...signing, '-out', `${n}.pem`)
        return { cert: read(`${n}.pem`), key: read(`${n}.key`) }
      },
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
