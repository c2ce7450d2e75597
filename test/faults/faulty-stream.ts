import type { Direction, Fault, Kind } from './plan.ts'
import type { Splitter } from './units.ts'

/** One direction of one connection, as what is behind it. */
export interface Outlet {
  write(bytes: Buffer): void
  end(): void
  /** Breaks the connection in both directions. */
  cut(hard: boolean): void
}

const WHOLE_UNITS: ReadonlySet<Kind> = new Set(['truncate', 'duplicate', 'reorder'])
/** A unit that shall come behind the next one comes by itself when there is none. */
const REORDER_PATIENCE_MS = 60

/** The faults of one conversation, over all its connections, and how far each direction has come. */
export class Faults {
  readonly #waiting: Record<Direction, Fault[]>
  readonly #done: Record<Direction, number> = { up: 0, down: 0 }
  readonly #onServer: (kind: 'kill' | 'forget') => void
  readonly #timers = new Set<NodeJS.Timeout>()
  /** Requests that the client sent once and the server got twice. */
  duplicatedUp = false
  /** How many came to pass. */
  happened = 0

  constructor(faults: readonly Fault[], onServer: (kind: 'kill' | 'forget') => void) {
    const of = (direction: Direction): Fault[] => faults.filter((each) => each.direction === direction).sort((a, b) => a.at - b.at)
    this.#waiting = { up: of('up'), down: of('down') }
    this.#onServer = onServer
  }

  /** Bytes that have passed, in each direction. */
  get lengths(): Readonly<Record<Direction, number>> {
    return this.#done
  }

  needsUnits(direction: Direction): boolean {
    return this.#waiting[direction].some(({ kind }) => WHOLE_UNITS.has(kind))
  }

  /** Moves on by these bytes; the fault that stands among them, and where. */
  advance(direction: Direction, length: number): { fault: Fault; offset: number } | undefined {
    const [fault] = this.#waiting[direction]
    const done = this.#done[direction]
    if (fault === undefined || fault.at >= done + length) {
      this.#done[direction] = done + length
      return undefined
    }
    this.#waiting[direction].shift()
    this.happened++
    const offset = Math.max(0, fault.at - done)
    this.#done[direction] = done + (WHOLE_UNITS.has(fault.kind) ? length : offset)
    if (fault.kind === 'duplicate' && direction === 'up') this.duplicatedUp = true
    return { fault, offset }
  }

  onServer(kind: 'kill' | 'forget'): void {
    this.#onServer(kind)
  }

  later(ms: number, run: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer)
      run()
    }, ms)
    this.#timers.add(timer)
  }

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers.clear()
  }
}

/** One direction of one connection: bytes go in, and what a bad network or a dying process makes of them comes out. */
export class FaultyStream {
  readonly #faults: Faults
  readonly #direction: Direction
  readonly #outlet: Outlet
  readonly #splitter: Splitter | undefined
  /** What came behind a delay, in order. */
  #held: (() => void)[] | undefined
  #over = false
  #behindNext: Buffer | undefined

  constructor(faults: Faults, direction: Direction, outlet: Outlet, splitter: () => Splitter) {
    this.#faults = faults
    this.#direction = direction
    this.#outlet = outlet
    this.#splitter = faults.needsUnits(direction) ? splitter() : undefined
  }

  push(chunk: Buffer): void {
    const units = this.#splitter?.push(chunk) ?? [chunk]
    for (const unit of units) this.#inOrder(() => this.#take(unit))
  }

  end(): void {
    const rest = this.#splitter?.rest()
    if (rest !== undefined && rest.length > 0) this.#inOrder(() => this.#take(rest))
    this.#inOrder(() => {
      if (this.#over) return
      this.#flushReordered()
      this.#over = true
      this.#outlet.end()
    })
  }

  #inOrder(step: () => void): void {
    if (this.#held === undefined) step()
    else this.#held.push(step)
  }

  #take(bytes: Buffer): void {
    if (this.#over || bytes.length === 0) return
    const found = this.#faults.advance(this.#direction, bytes.length)
    if (found === undefined) {
      this.#outlet.write(bytes)
      this.#flushReordered()
      return
    }
    const { fault, offset } = found
    if (WHOLE_UNITS.has(fault.kind)) {
      this.#spoil(fault, bytes, offset)
      return
    }
    if (offset > 0) this.#outlet.write(bytes.subarray(0, offset))
    this.#break(fault, bytes.subarray(offset))
  }

  #spoil({ kind, value }: Fault, unit: Buffer, offset: number): void {
    if (kind === 'duplicate') {
      this.#outlet.write(Buffer.concat([unit, unit]))
    } else if (kind === 'truncate') {
      const left = unit.subarray(0, offset)
      // One manner keeps the end of the line, the other joins the rest to what follows.
      this.#outlet.write(value % 2 === 0 ? left : Buffer.concat([left, unit.subarray(-1)]))
    } else {
      this.#behindNext = unit
      this.#faults.later(REORDER_PATIENCE_MS, () => this.#flushReordered())
    }
  }

  #flushReordered(): void {
    const unit = this.#behindNext
    this.#behindNext = undefined
    if (unit !== undefined && !this.#over) this.#outlet.write(unit)
  }

  #break({ kind, value }: Fault, rest: Buffer): void {
    switch (kind) {
      case 'corrupt': {
        const copy = Buffer.from(rest)
        // Never the same byte.
        copy[0] = (copy[0] ?? 0) ^ ((value % 255) + 1)
        this.#take(copy)
        return
      }
      case 'delay':
        this.#held = [() => this.#take(rest)]
        this.#faults.later(value, () => this.#release())
        return
      case 'stall':
        this.#over = true
        return
      case 'end':
        this.#over = true
        this.#outlet.end()
        return
      case 'cut':
        this.#over = true
        this.#outlet.cut(value % 2 === 0)
        return
      case 'kill':
        this.#over = true
        this.#faults.onServer('kill')
        return
      case 'forget':
        this.#faults.onServer('forget')
        this.#take(rest)
        return
      default:
        throw new Error(`${kind} needs whole units`)
    }
  }

  #release(): void {
    const steps = this.#held ?? []
    this.#held = undefined
    // A second delay may stand among them.
    for (const step of steps) this.#inOrder(step)
  }
}
