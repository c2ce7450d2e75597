/** Cuts a stream of bytes into the units that a network or a process may lose, double or put in another order. */
export interface Splitter {
  /** The units that are whole now. */
  push(chunk: Buffer): Buffer[]
  /** What is left. */
  rest(): Buffer
}

/** Lines with their line break. */
export function lines(): Splitter {
  let kept = Buffer.alloc(0)
  return {
    push(chunk) {
      kept = Buffer.concat([kept, chunk])
      const units: Buffer[] = []
      for (let end = kept.indexOf(10); end !== -1; end = kept.indexOf(10)) {
        units.push(kept.subarray(0, end + 1))
        kept = kept.subarray(end + 1)
      }
      return units
    },
    rest: () => kept,
  }
}

type Part = 'head' | 'length' | 'chunks' | 'raw'

/** Messages of HTTP/1.1: one with a length is a unit; of one in chunks, the head and each chunk are. */
export function httpUnits(): Splitter {
  let kept = Buffer.alloc(0)
  let part: Part = 'head'
  /** Bytes of the unit that is being read, once known. */
  let wanted = 0

  /** The length of the next unit; 0 while it is not known. */
  const next = (): number => {
    if (part === 'raw') return kept.length
    if (part === 'length') return wanted
    if (part === 'chunks') {
      const end = kept.indexOf('\r\n')
      if (end === -1) return 0
      const size = Number.parseInt(kept.subarray(0, end).toString('latin1'), 16)
      if (!Number.isFinite(size)) return spoilt()
      return end + 2 + size + 2
    }
    const end = kept.indexOf('\r\n\r\n')
    if (end === -1) return 0
    const head = kept.subarray(0, end).toString('latin1')
    if (/^transfer-encoding: *chunked/im.test(head)) {
      part = 'chunks'
      return end + 4
    }
    wanted = end + 4 + Number(/^content-length: *(\d+)/im.exec(head)?.[1] ?? 0)
    part = 'length'
    return wanted
  }
  const spoilt = (): number => {
    part = 'raw'
    return kept.length
  }

  return {
    push(chunk) {
      kept = Buffer.concat([kept, chunk])
      const units: Buffer[] = []
      for (;;) {
        const chunked = part === 'chunks'
        const length = next()
        if (length === 0 || kept.length < length) return units
        const unit = kept.subarray(0, length)
        kept = kept.subarray(length)
        units.push(unit)
        if (part === 'length' || (chunked && unit.toString('latin1') === '0\r\n\r\n')) part = 'head'
      }
    },
    rest: () => kept,
  }
}
