import type { DiscoveryOptions } from '../discovery.ts'
import type { Agreeable } from '../surroundings.ts'
import { Agreements } from './agreements.ts'
import { machine } from './machine.ts'

/** What `agreeTo` does where there are files. */
export async function agree(server: Agreeable, options: DiscoveryOptions): Promise<void> {
  await new Agreements(machine(options)).add(server)
}

/** What `isAgreed` does where there are files. */
export async function isAgreed(server: Agreeable, options: DiscoveryOptions): Promise<boolean> {
  return new Agreements(machine(options)).has(server)
}
