import type { z } from 'zod'
import type { ListExport } from '../../platform/list-export.ts'
import type { InstantPlace } from '../../shared/page-lists.ts'
import { toLocal } from '../../shared/zoned-time.ts'
import { conversationFilters } from './contract.ts'
import { listConversations } from './conversations.ts'

const atOnce = 200

type Line = Awaited<ReturnType<typeof listConversations>>['data'][number]

const columns: Record<string, (line: Line, timeZone: string) => string> = {
  Subject: ({ subject }) => subject,
  Patient: ({ contact }) => (contact ? `${contact.firstName} ${contact.lastName}`.trim() : ''),
  Address: ({ address }) => address,
  'Last message': ({ lastMessageAt }, timeZone) => `${toLocal(lastMessageAt, timeZone).day} ${toLocal(lastMessageAt, timeZone).time}`,
  Direction: ({ lastDirection }) => lastDirection,
  Unread: ({ unreadCount }) => String(unreadCount),
  Begins: ({ snippet }) => snippet,
}

/** GET /api/conversations.csv or .xlsx with the inbox's filters: its conversations, those with the newest message first. */
export const conversationsExport: ListExport<z.output<typeof conversationFilters>> = {
  name: 'conversations',
  kind: 'conversation',
  input: conversationFilters,
  head: () => Object.keys(columns),
  async *read(scope, filters) {
    for (let cursor: InstantPlace | undefined; ;) {
      const { data, nextCursor } = await listConversations(scope, { ...filters, cursor, limit: atOnce })
      yield {
        rows: data.map((line) => Object.values(columns).map((cell) => cell(line, scope.env.PRACTICE_TIME_ZONE))),
        contactIds: data.flatMap(({ contact }) => contact?.id ?? []),
      }
      if (nextCursor === null) return
      cursor = nextCursor
    }
  },
}
