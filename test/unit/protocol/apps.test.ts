import { describe, expect, it } from 'vitest'
import { isVisibleTo, uiResourceUri } from '../../../src/protocol/apps.ts'

describe('a tool with a user interface', () => {
  it.each<[string, Record<string, unknown> | undefined, boolean, boolean]>([
    ['no metadata', undefined, true, true],
    ['no word of it', { ui: { resourceUri: 'ui://a' } }, true, true],
    ['both', { ui: { visibility: ['model', 'app'] } }, true, true],
    ['the model', { ui: { visibility: ['model'] } }, true, false],
    ['the app', { ui: { visibility: ['app'] } }, false, true],
    ['nobody', { ui: { visibility: [] } }, false, false],
    ['something else', { ui: { visibility: 'app' } }, true, true],
    ['no object', { ui: 5 }, true, true],
  ])('is visible to whom its metadata says: %s', (_what, _meta, model, app) => {
    const tool = _meta === undefined ? {} : { _meta }
    expect(isVisibleTo(tool, 'model')).toBe(model)
    expect(isVisibleTo(tool, 'app')).toBe(app)
  })

  it.each<[unknown, string | undefined]>([
    [{ ui: { resourceUri: 'ui://weather/view' } }, 'ui://weather/view'],
    [{ 'ui/resourceUri': 'ui://old/view' }, 'ui://old/view'],
    [{ ui: { resourceUri: 'ui://new' }, 'ui/resourceUri': 'ui://old' }, 'ui://new'],
    [{ ui: { resourceUri: 'https://elsewhere' } }, undefined],
    [{ ui: { resourceUri: 5 } }, undefined],
    [{ ui: null }, undefined],
    [{}, undefined],
  ])('has the resource that %j names', (_meta, uri) => {
    expect(uiResourceUri({ _meta: _meta as Record<string, unknown> })).toBe(uri)
  })
})
