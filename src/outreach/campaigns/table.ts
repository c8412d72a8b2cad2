import { sql } from 'drizzle-orm'
import { check, index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core'
import { instant } from '../../kernel/postgres/columns.ts'
import { contacts } from '../../crm/contacts/table.ts'
import type { ContactFilters } from '../../crm/contacts/list-contract.ts'
import { profiles } from '../../platform/auth/table.ts'
import type { ConsentChannel } from '../../crm/consent/rules.ts'
import type { Language } from '../../shared/translations.ts'
import { emailTemplates } from '../../messages/email-templates/table.ts'
import { messages } from '../../messages/inbox/table.ts'
import type { CampaignStatus, Decider, RecipientState, Refusal, Variant } from './rules.ts'

/** What is sent, as it was when the campaign started; a text has no subject and no HTML. `links`: the addresses whose clicks are counted. */
export type Content = { subject: string; text: string; html: string }
export type Contents = { variants: Partial<Record<Variant, Record<Language, Content>>>; links: string[] }

/** One email or text to many patients: a filter of the list, a template or two, and when and how fast it is sent. */
export const campaigns = pgTable(
  'campaigns',
  {
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    version: integer('version').notNull().default(1),
    name: text('name').notNull(),
    channel: text('channel').$type<ConsentChannel>().notNull().default('email'),
    /** The patients, and the name of the view that they were taken from. */
    audience: jsonb('audience').$type<Pick<ContactFilters, 'search' | 'filter'>>().notNull(),
    audienceName: text('audience_name'),
    templateId: uuid('template_id').references(() => emailTemplates.id, { onDelete: 'set null' }),
    /** Of an A/B test: the other template, the share of patients who are sent A or B first, and what decides after how many hours. */
    templateBId: uuid('template_b_id').references(() => emailTemplates.id, { onDelete: 'set null' }),
    testPercent: integer('test_percent'),
    decideBy: text('decide_by').$type<Decider>().notNull().default('clicked'),
    decideAfterHours: integer('decide_after_hours').notNull().default(24),
    winner: text('winner').$type<Variant>(),
    /** At most so many messages an hour. */
    perHour: integer('per_hour').notNull().default(1_000),
    status: text('status').$type<CampaignStatus>().notNull().default('draft'),
    startsAt: instant('starts_at'),
    contents: jsonb('contents').$type<Contents>(),
    createdBy: uuid('created_by')
      .notNull()
      .references(() => profiles.id),
    createdAt: instant('created_at').notNull(),
    updatedAt: instant('updated_at').notNull(),
    /** When its patients were listed, and when the last one was sent. */
    startedAt: instant('started_at'),
    finishedAt: instant('finished_at'),
  },
  (t) => [
    index('campaigns_newest').on(t.createdAt, t.id),
    check('campaigns_test', sql`(${t.testPercent} is null) or (${t.testPercent} between 10 and 100)`),
  ],
)

/** Each patient of a campaign that has started, with the one message they are sent or the reason why there is none. */
export const campaignRecipients = pgTable(
  'campaign_recipients',
  {
    /** Also the idempotency key of the message. */
    id: uuid('id')
      .primaryKey()
      .default(sql`uuidv7()`),
    campaignId: uuid('campaign_id')
      .notNull()
      .references(() => campaigns.id),
    contactId: uuid('contact_id')
      .notNull()
      .references(() => contacts.id),
    /** The campaign and the patient who was listed; also after a merge, when one patient has two rows. */
    key: text('key').notNull().unique(),
    /** In lower case, or in E.164. */
    address: text('address'),
    language: text('language').$type<Language>().notNull(),
    /** Null: waits for the winner. */
    variant: text('variant').$type<Variant>(),
    state: text('state').$type<RecipientState>().notNull(),
    refusal: text('refusal').$type<Refusal>(),
    /** While it waits: not sent before then, because of quiet hours or the day’s limit of texts. */
    notBefore: instant('not_before'),
    messageId: uuid('message_id').references(() => messages.id, { onDelete: 'set null' }),
    sentAt: instant('sent_at'),
    /** In the links of the message; says nothing about the patient. */
    clickToken: text('click_token').unique(),
    clickedAt: instant('clicked_at'),
  },
  (t) => [
    index('campaign_recipients_state').on(t.campaignId, t.state, t.id),
    index('campaign_recipients_contact').on(t.contactId, t.sentAt),
    index('campaign_recipients_message').on(t.messageId),
  ],
)
