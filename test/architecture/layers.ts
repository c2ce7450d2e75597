import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './imports.ts'

export interface Layer {
  readonly name: string
  /** Exact files, or folders that end in a slash. */
  readonly places: readonly string[]
  readonly mayImport: readonly string[]
  /** May use this package only as its users do. */
  readonly publishedOnly: boolean
}

/** The table under `## Layers` in ARCHITECTURE.md. */
export function readLayers(): Layer[] {
  const text = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  const [, section = ''] = /^## Layers\n([\s\S]*?)(?=^## |$(?![\s\S]))/m.exec(text) ?? []
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) => {
    const [name = '', files = '', may = ''] = row
      .split('|')
      .slice(1)
      .map((cell) => cell.trim())
    const publishedOnly = may === 'published subpaths only'
    return {
      name,
      places: [...files.matchAll(/`([^`]+)`/g)].map(([, place = '']) => place.replace(/\*\*$/, '')),
      mayImport: publishedOnly || may === '' ? [] : may.split(',').map((each) => each.trim()),
      publishedOnly,
    }
  })
}

/** The layer of a file: a row that names the file itself wins over one that names its folder. */
export function layerOf(path: string, layers: readonly Layer[]): Layer | undefined {
  return (
    layers.find((layer) => layer.places.includes(path)) ??
    layers.find((layer) => layer.places.some((place) => place.endsWith('/') && path.startsWith(place)))
  )
}
