import type { Params } from '../../jsonrpc/message.ts'
import type { Features } from './revision.ts'

/** A chequered PNG of 8 by 8 pixels. */
export const PNG_BASE64 =
  'iVBORw0KGgoAAAANSUhEUgAAAAgAAAAIAQMAAAD+wSzIAAAABlBMVEUgYMD///9NCgOgAAAADklEQVR42mMIZVjFgIQBHpwD/XAVyZAAAAAASUVORK5CYII='
/** A WAV of 16 samples: two waves of 1 kHz. */
export const WAV_BASE64 = 'UklGRjQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YRAAAACAxuTGgDocOoDG5MaAOhw6'

export const ICONS: readonly Params[] = [{ src: `data:image/png;base64,${PNG_BASE64}`, mimeType: 'image/png', sizes: ['8x8'] }]

export function text(value: string): Params {
  return { type: 'text', text: value }
}

/** One block of each kind that the revision has. */
export function everyKind(features: Features): readonly Params[] {
  const blocks: Params[] = [
    { ...text('a text'), annotations: { audience: ['user', 'assistant'], priority: 0.5 } },
    { type: 'image', data: PNG_BASE64, mimeType: 'image/png' },
    { type: 'resource', resource: { uri: 'demo://text', mimeType: 'text/plain', text: 'an embedded text' } },
    { type: 'resource', resource: { uri: 'demo://image', mimeType: 'image/png', blob: PNG_BASE64 } },
  ]
  if (features.audio) blocks.splice(2, 0, { type: 'audio', data: WAV_BASE64, mimeType: 'audio/wav' })
  if (features.links) blocks.push({ type: 'resource_link', uri: 'demo://item/1', name: 'item 1', mimeType: 'application/json' })
  return blocks
}
