import type { Tool } from './types.ts'

/** Who may see and call a tool: the model, or the app that a server shows. */
export type ToolAudience = 'model' | 'app'

/**
 * Whether a tool is meant for them. A tool that says nothing is for both; one that is not for the model must be hidden from it, and one that
 * is not for apps must be refused to them.
 * @see MCP Apps 2026-01-26, visibility of tools
 */
export function isVisibleTo(tool: Pick<Tool, '_meta'>, audience: ToolAudience): boolean {
  const { visibility } = uiOf(tool)
  return Array.isArray(visibility) ? visibility.includes(audience) : true
}

/** The `ui://` resource that a host renders for a tool, to be had by `readResource`; undefined when it has none. @see MCP Apps 2026-01-26 */
export function uiResourceUri(tool: Pick<Tool, '_meta'>): string | undefined {
  // The flat key is how drafts wrote it.
  const uri = uiOf(tool).resourceUri ?? tool._meta?.['ui/resourceUri']
  return typeof uri === 'string' && /^ui:\/\//i.test(uri) ? uri : undefined
}

function uiOf(tool: Pick<Tool, '_meta'>): { readonly [key: string]: unknown } {
  const ui = tool._meta?.ui
  return typeof ui === 'object' && ui !== null ? { ...ui } : {}
}
