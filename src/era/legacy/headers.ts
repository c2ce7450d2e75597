/** `MCP-Protocol-Version` exists since 2025-06-18. @see spec 2025-06-18 basic/transports */
export function sendsVersionHeader(version: string): boolean {
  return version >= '2025-06-18'
}
