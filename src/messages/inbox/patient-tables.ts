import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const inboxTables = {
  conversations: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`${row}->>'subject'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    // With automatic emails only, such as the welcome email, as long as no one answered.
    retention: {
      cameWithForm: () => sql`child.assigned_to is null
        and not exists (select 1 from conversation_notes where conversation_id = child.id)
        and not exists (select 1 from messages where conversation_id = child.id and (direction <> 'outbound' or created_by is not null))`,
    },
    importUndo: 'keeps-patient',
    export: {},
  },
  scheduled_messages: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`${row}->>'text'` },
    deletion: 'with-patient',
    restore: 'unchanged',
    retention: 'keeps-lead',
    importUndo: 'keeps-patient',
    export: {},
  },
  messages: {
    owner: { table: 'conversations', column: 'conversation_id' },
    deletion: 'with-owner',
    // Its words repeat its text, for search.
    export: { row: sql`to_jsonb(mine) - 'words'` },
  },
  text_links: {
    owner: { table: 'messages', column: 'message_id' },
    deletion: 'with-owner',
    export: { leftOut: 'Hashes of secrets in links' },
  },
  conversation_notes: {
    owner: { table: 'conversations', column: 'conversation_id' },
    deletion: 'with-owner',
    export: {},
  },
  message_attachments: {
    owner: { table: 'messages', column: 'message_id' },
    deletion: 'with-owner',
    export: {},
  },
} satisfies Partial<PatientTables>
