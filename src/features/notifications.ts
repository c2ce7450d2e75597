import { isObject } from '../jsonrpc/codec.ts'
import type { JSONRPCNotification, Params } from '../jsonrpc/message.ts'
import { logLine } from '../protocol/log-line.ts'
import type { ClientEvents, EventName, Events } from './events.ts'
import type { PagesAsked } from './pages-asked.ts'

/** Sorts one notification of the server into the event it stands for. A malformed one is an event of its kind no more, but still a notification. */
export function emitNotification(events: Events, notification: JSONRPCNotification, pages: PagesAsked): void {
  const params = isObject(notification.params) ? notification.params : {}
  READERS.get(notification.method)?.(params, events, pages)
  events.emit('notification', { method: notification.method, ...(isObject(notification.params) && { params: notification.params }) })
}

type Reader = (params: Params, events: Events, pages: PagesAsked) => void

const changed =
  (name: EventName & ('toolsChanged' | 'promptsChanged' | 'resourcesChanged')) =>
  (_params: Params, events: Events): void =>
    events.emit(name, {})

// A map, since a peer may name a method like a property that every object has.
const READERS: ReadonlyMap<string, Reader> = new Map(
  Object.entries<Reader>({
    'notifications/tools/list_changed': changed('toolsChanged'),
    'notifications/prompts/list_changed': changed('promptsChanged'),
    'notifications/resources/list_changed': changed('resourcesChanged'),
    'notifications/resources/updated': ({ uri }, events) => {
      if (typeof uri === 'string') events.emit('resourceUpdated', { uri })
    },
    'notifications/message': (params, events) => {
      const line = logLine(params)
      if (line !== undefined) events.emit('log', line)
    },
    'notifications/progress': ({ progressToken: token, progress, total, message }, events) => {
      if ((typeof token !== 'string' && typeof token !== 'number') || typeof progress !== 'number' || !events.has('progress')) return
      const payload: ClientEvents['progress'] = { token, progress }
      if (typeof total === 'number') payload.total = total
      if (typeof message === 'string') payload.message = message
      events.emit('progress', payload)
    },
    'notifications/elicitation/complete': ({ elicitationId }, events, pages) => {
      if (typeof elicitationId === 'string' && pages.end(elicitationId)) events.emit('elicitationComplete', { elicitationId })
    },
  }),
)
