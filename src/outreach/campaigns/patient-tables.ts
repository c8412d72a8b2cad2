import { sql } from 'drizzle-orm'
import type { PatientTables } from '../../kernel/patient-tables/registry.ts'

export const campaignTables = {
  campaign_recipients: {
    owner: 'contact',
    merge: { key: 'id', title: (row) => sql`(select name from campaigns where id = (${row}->>'campaign_id')::uuid)` },
    deletion: 'with-patient',
    restore: 'unchanged',
    // A campaign is no contact with the practice.
    retention: { cameWithForm: () => sql`true` },
    importUndo: 'keeps-patient',
    export: {
      row: sql`(to_jsonb(mine) - 'key' - 'click_token') || jsonb_build_object('campaign', (select name from campaigns where id = mine.campaign_id))`,
    },
  },
} satisfies Partial<PatientTables>
