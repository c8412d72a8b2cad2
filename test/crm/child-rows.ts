import { randomUUID } from 'node:crypto'
import { starters } from '../../src/chart/consent-forms/starters.ts'
import type { TestServer } from '../server.ts'

/** Inserts a row of a child table for a contact. Two contacts with the same `shared` get rows of which a merge keeps one. */
type Inserter = (server: TestServer, contactId: string, shared: string) => Promise<unknown>

/** An inserter for each table that refers to contacts; a test fails for a table without one. */
const inserters: Record<string, Inserter> = {
  health_cards: (server, contactId) =>
    server.rows(
      `insert into health_cards (contact_id, province, sealed_number, last_digits, version_code, created_at, updated_at)
       values ($1, 'ON', $2, '3217', 'AB', now(), now()) on conflict do nothing`,
      [contactId, `sealed ${randomUUID()}`],
    ),
  portraits: (server, contactId) =>
    server.rows(`insert into portraits (contact_id, sealed_image, updated_at) values ($1, $2, now()) on conflict do nothing`, [
      contactId,
      `sealed ${randomUUID()}`,
    ]),
  interactions: (server, contactId) =>
    server.rows(
      `insert into interactions (contact_id, type, description, metadata) values ($1, 'note', $2, '{"n": 12345678901234567890}')`,
      [contactId, `a note ${randomUUID()}`],
    ),
  referrals: (server, contactId) =>
    server.rows(`insert into referrals (referral_id, contact_id, side, created_at) values ($2, $1, 'referred', now())`, [
      contactId,
      randomUUID(),
    ]),
  campaign_recipients: (server, contactId) =>
    server.rows(
      `with campaign as (insert into campaigns (name, audience, created_by, created_at, updated_at)
         select $2, '{}', id, now(), now() from profiles order by id limit 1 returning id)
       insert into campaign_recipients (campaign_id, contact_id, key, language, state, refusal)
       select id, $1::uuid, id || ':' || $1::uuid, 'en', 'refused', 'no_consent' from campaign`,
      [contactId, `a campaign ${randomUUID()}`],
    ),
  contact_tags: (server, contactId, shared) =>
    server.rows(
      `with made as (insert into tags (name) values ($2) on conflict do nothing returning id)
       insert into contact_tags (contact_id, tag_id) select $1, id from (select id from made union all select id from tags where name = $2) as tag
       on conflict do nothing`,
      [contactId, `tag ${shared}`],
    ),
  contact_stage_history: (server, contactId) =>
    server.rows(`insert into contact_stage_history (contact_id, to_stage) select $1, id from funnel_stages where value = 'contacted'`, [
      contactId,
    ]),
  lead_entries: (server, contactId) =>
    server.rows(
      `insert into lead_entries (source_id, contact_id, status, raw_data, raw_body, content_type)
       select id, $1, 'completed', '{"big": 12345678901234567890, "text": "é"}', '', '' from lead_sources limit 1`,
      [contactId],
    ),
  automation_state: (server, contactId, shared) =>
    server.rows(
      `with made as (insert into automation_state (contact_id, automation, state) values ($1, $2, '{"step": 1}') on conflict do nothing returning id)
       insert into sequence_steps (state_id, run, number, step, at, outcome) select id, 1, 1, 'start', now(), 'started' from made`,
      [contactId, `automation ${shared}`],
    ),
  tasks: (server, contactId) =>
    server.rows(
      `with who as (select id from profiles order by id limit 1),
         made as (insert into tasks (title, type, due_date, due_at, remind_at, contact_id, assigned_to, created_at, updated_at)
           select $2, 'Call', '2199-01-31', '2199-01-31', '2199-01-31', $1, id, now(), now() from who returning id)
       insert into task_assignees (task_id, profile_id, position) select made.id, who.id, 0 from made, who`,
      [contactId, `a task ${randomUUID()}`],
    ),
  health_entries: (server, contactId) =>
    server.rows(
      `insert into health_entries (contact_id, kind, name, severity, status, created_at, updated_at) values ($1, 'allergy', $2, 'mild', 'active', now(), now())`,
      [contactId, `an allergen ${randomUUID()}`],
    ),
  health_reviews: (server, contactId) =>
    server.rows(
      `insert into health_reviews (contact_id, section, active_entries, reviewed_at) values ($1, 'allergies', (random() * 1000)::int, now())`,
      [contactId],
    ),
  measurements: (server, contactId) =>
    server.rows(
      `insert into measurements (contact_id, weight_kg, measured_on, created_at) values ($1, 71.2, '2026-01-01'::date + (random() * 1000)::int, now())`,
      [contactId],
    ),
  photo_series: (server, contactId) =>
    server.rows(
      `insert into photo_series (contact_id, shot_list, time_point, title, taken_on, created_at) values ($1, 'face', 'other', $2, '2026-01-31', now())`,
      [contactId, `a series ${randomUUID()}`],
    ),
  photos: (server, contactId) =>
    server.rows(
      `with series as (insert into photo_series (contact_id, shot_list, time_point, taken_on, created_at)
           values ($1, 'face', 'pre_op', '2026-01-31', now()) returning id),
         photo as (insert into photos (id, contact_id, series_id, view, taken_at, mime_type, width, height, size, sha256, created_at)
           select gen_random_uuid(), $1, id, 'front', now(), 'image/jpeg', 3, 4, 5, $2, now() from series returning id),
         consent as (insert into photo_consents (contact_id, purposes, given_on, note, recorded_at)
           values ($1, '{referral}', '2026-01-31', 'An email ' || $2, now()) returning id),
         used as (insert into photo_uses (photo_id, purpose, photo_consent_id, begun_at)
           select photo.id, 'referral', consent.id, now() from photo, consent),
         released as (insert into photo_releases (photo_id, contact_id, released_at) select photo.id, $1, now() from photo),
         layer as (insert into photo_layers (photo_id, author_id, shapes, created_at, updated_at)
           select photo.id, author.id, '[]', now(), now() from photo, (select id from profiles order by id limit 1) as author)
       insert into photo_files (photo_id, kind, storage_key) select id, 'original', 'photos/' || $2 from photo`,
      [contactId, randomUUID()],
    ),
  photo_consents: (server, contactId) =>
    server.rows(
      `insert into photo_consents (contact_id, purposes, given_on, note, recorded_at) values ($1, '{consult_room}', '2026-01-31', $2, now())`,
      [contactId, `an email ${randomUUID()}`],
    ),
  photo_links: (server, contactId) =>
    server.rows(
      `insert into photo_links (contact_id, purpose, recipient, email, token_hash, created_at, expires_at)
         values ($1, 'referral', $2, 'doctor@mail.example', $2, now(), now())`,
      [contactId, `a doctor ${randomUUID()}`],
    ),
  appointments: (server, contactId) =>
    server.rows(
      `with made as (insert into appointments (contact_id, type, starts_at, ends_at, status, cancel_reason, notes, created_at, updated_at)
           values ($1, 'follow_up', '2199-01-15', '2199-01-16', 'cancelled', 'is ill', $2, now(), now()) returning id),
         mail as (insert into appointment_mails (appointment_id, kind, starts_at, place, refusal, created_at)
           select id, 'confirmation', '2199-01-15', 'Oakville', 'suppressed', now() from made),
         link as (insert into appointment_links (token_hash, appointment_id, starts_at, created_at) select $3, id, '2199-01-15', now() from made)
       insert into appointment_requests (id, appointment_id, starts_at, weekdays, day_parts, task_id, created_at)
       select gen_random_uuid(), id, '2199-01-15', '{1}', '{morning}', gen_random_uuid(), now() from made`,
      [contactId, `a visit ${randomUUID()}`, randomUUID()],
    ),
  waiting_list_entries: (server, contactId) =>
    server.rows(
      `with type as (insert into visit_types (name, type, minutes, created_at, updated_at) values ($2, 'consult', 45, now(), now()) returning id),
         entry as (insert into waiting_list_entries (contact_id, visit_type_id, weekdays, day_parts, from_day, to_day, note, status, created_at, updated_at)
           select $1, id, '{1}', '{morning}', '2199-01-15', '2199-01-20', $2, 'ended', now(), now() from type returning id)
       insert into waiting_offers (entry_id, starts_at, ends_at, status, expires_at, created_at)
       select id, '2199-01-15', '2199-01-16', 'gone', '2199-01-15', now() from entry`,
      [contactId, `a visit ${randomUUID()}`],
    ),
  surgeries: (server, contactId) =>
    server.rows(
      `with made as (insert into surgeries (contact_id, procedures, anaesthesia, starts_at, ends_at, status, cancel_reason, notes, created_at, updated_at)
         values ($1, '[{"id": "019ab2c8-0000-7000-8000-000000000000", "name": "Rhinoplasty"}]', 'local', '2199-01-16', '2199-01-17', 'cancelled',
           'is ill', $2, now(), now()) returning id),
         device as (insert into devices (maker, model, kind, has_serials, is_sterile, created_at) values ('Maker', $2, 'mesh', false, false, now()) returning id),
         lot as (insert into device_lots (device_id, lot) select id, 'A1' from device returning id),
         opened as (insert into surgery_devices (surgery_id, lot_id, quantity, opened_at) select made.id, lot.id, 1, now() from made, lot),
         answer as (insert into safety_answers (surgery_id, day, phase, item, answer, answered_by, answered_at)
           select made.id, '2199-01-16', 'sign_in', 'allergy', 'yes', profiles.id, now()
           from made, (select id from profiles order by id limit 1) as profiles),
         closed as (insert into safety_phases (surgery_id, day, phase, outcome, reason, closed_at)
           select id, '2199-01-16', 'sign_in', 'waived', 'Done on paper', now() + interval '1 second' from made),
         asked as (insert into check_ins (surgery_id, day, due_on, created_at, escalated_at) select id, 1, '2199-01-17', now(), now() from made)
       insert into surgery_items (surgery_id, kind, words, owner_role, due_days, due_on, is_required)
       select id, 'labs', 'Blood count', 'provider', -7, '2199-01-09', true from made`,
      [contactId, `a surgery ${randomUUID()}`],
    ),
  recall_patients: (server, contactId) =>
    server.rows(
      `with recall as (insert into recalls (title, maker, message_en, message_fr, created_at) values ($2, 'Maker', 'Call', 'Appelez', now()) returning id),
         patient as (insert into recall_patients (recall_id, contact_id, key) select id, $1::uuid, id || ':' || $1::uuid from recall returning id)
       insert into recall_attempts (recall_patient_id, channel, state, language, at) select id, 'letter', 'made', 'en', now() from patient`,
      [contactId, `a recall ${randomUUID()}`],
    ),
  adverse_events: (server, contactId) =>
    server.rows(
      `insert into adverse_events (contact_id, kind, severity, occurred_at, learned_at, others, created_at, created_by)
       select $1, 'infection', 'II', '2026-01-30', '2026-01-31', $2, now(), profiles.id from (select id from profiles order by id limit 1) as profiles`,
      [contactId, `an event ${randomUUID()}`],
    ),
  clinical_notes: (server, contactId) =>
    server.rows(
      `with made as (insert into clinical_notes (contact_id, template_id, kind, title, sections, occurred_on, status, author_id, needs_cosign,
           signed_by, signed_at, patient_at_signing, seal, created_at, updated_at, updated_by)
         select $1, note_templates.id, 'other', $2, '[{"id": "plan", "title": "Plan", "type": "text", "options": [], "answer": "Rest"}]',
           '2026-01-15', 'signed', profiles.id, false, profiles.id, now(), $1, 'a', now(), now(), profiles.id
         from (select id from profiles order by id limit 1) as profiles, (select id from note_templates order by id limit 1) as note_templates
         returning id, sections, author_id),
       revision as (insert into note_revisions (note_id, title, occurred_on, sections, at, author_id, created_at)
         select id, 'Draft', '2026-01-15', sections, now(), author_id, now() from made)
       insert into note_addenda (note_id, text, author_id, written_at, seal) select id, 'Called back', author_id, now(), 'a' from made`,
      [contactId, `a clinical note ${randomUUID()}`],
    ),
  forms: (server, contactId) =>
    server.rows(
      `with template as (insert into form_templates default values returning id),
         version as (insert into form_versions (template_id, number, definition, published_at)
           select id, 1, jsonb_build_object('title', jsonb_build_object('en', $2::text, 'fr', $2::text), 'sections', '[]'::jsonb), now() from template returning id),
         made as (insert into forms (contact_id, version_id, status, sent_via, sent_at, expires_at, language, answers, submitted_at)
           select $1, id, 'submitted', 'link', now(), now(), 'en', '{"weight": 70}', now() from version returning id),
         review as (insert into form_reviews (form_id, submitted_at) select id, now() from made)
       insert into form_decisions (form_id, question, part, decision, decided_by, decided_at)
       select made.id, 'weight', 0, 'kept', profiles.id, now() from made, (select id from profiles order by id limit 1) as profiles`,
      [contactId, `a form ${randomUUID()}`],
    ),
  consent_forms: (server, contactId) =>
    server.rows(
      `with template as (insert into consent_templates default values returning id),
         version as (insert into consent_template_versions (template_id, number, definition, published_at)
           select id, 1, $2::jsonb, now() from template returning id),
         made as (insert into consent_forms (contact_id, version_id, status, sent_via, sent_at, language, signed_at, text, text_hash, signing)
           select $1, id, 'signed', 'link', now(), 'en', now(), jsonb_build_object('title', $3::text), 'a', '{}' from version returning id),
         step as (insert into consent_events (consent_form_id, kind, at, actor_name, detail, hash)
           select id, 'signed', now(), 'Ana Test', '{}', 'a' from made returning id, consent_form_id)
       insert into consent_files (consent_form_id, event_id, storage_key, size, sha256, timestamp, sealed_at)
       select consent_form_id, id, 'consents/' || id, 4, 'a', 'none', now() from step`,
      [contactId, JSON.stringify({ ...starters.photo_use.definition, title: { en: randomUUID(), fr: randomUUID() } }), randomUUID()],
    ),
  quotes: (server, contactId) =>
    server.rows(
      `insert into quotes (contact_id, number, title, valid_until, lines, taxes, subtotal_cents, tax_cents, total_cents, deposit_cents, instalments,
         is_before_surgery, created_at, updated_at)
       values ($1, nextval('quote_numbers'), $2, '2199-01-31', '[]', '[]', 100, 13, 113, 113, '[]', false, now(), now())`,
      [contactId, `a quote ${randomUUID()}`],
    ),
  documents: (server, contactId) =>
    server.rows(
      `insert into documents (contact_id, name, mime_type, size, sha256, storage_key, upload_source, document_type, is_shared, review_state,
         scan_state, created_at)
       values ($1, 'Consent.pdf', 'application/pdf', 3, 'a', $2, 'clinic', 'consent', false, 'accepted', 'off', now())`,
      [contactId, randomUUID()],
    ),
  ledger_entries: (server, contactId) =>
    server.rows(
      // A write-off without its charge: contacts with outstanding charges cannot be deleted.
      `insert into ledger_entries (contact_id, kind, amount_cents, charge_id, description, created_at)
       values ($1, 'write_off', -12345, gen_random_uuid(), $2, now())`,
      [contactId, `a write-off ${randomUUID()}`],
    ),
  collection_notes: (server, contactId) =>
    server.rows(`insert into collection_notes (contact_id, kind, note, created_at) values ($1, 'hold', $2, now())`, [
      contactId,
      `a hold ${randomUUID()}`,
    ]),
  conversations: (server, contactId) =>
    server.rows(
      `with made as (insert into conversations (contact_id, subject, thread_id, address, subject_key, last_message_at, created_at)
           values ($1, $2, $3, 'ana@elsewhere.example', $2, now(), now()) returning id),
         mail as (insert into messages (conversation_id, direction, message_id, from_email, to_email, subject, body, status, created_at)
           select id, 'inbound', $3, 'ana@elsewhere.example', 'team@refyne.example', $2, 'Hello', 'received', now() from made returning id),
         file as (insert into message_attachments (message_id, name, mime_type, size, refusal) select id, 'a.zip', 'application/zip', 1, 'no' from mail)
       insert into conversation_notes (conversation_id, text, created_by, created_at)
       select made.id, 'a note', profiles.id, now() from made, (select id from profiles order by id limit 1) as profiles`,
      [contactId, `a subject ${randomUUID()}`, randomUUID()],
    ),
  scheduled_messages: (server, contactId) =>
    server.rows(
      `insert into scheduled_messages (id, contact_id, channel, address, text, send_at, created_by, created_at)
       select gen_random_uuid(), $1, 'sms', '+14165550142', $2, '2199-01-15', id, now() from profiles order by id limit 1`,
      [contactId, `a text ${randomUUID()}`],
    ),
  mailbox_links: (server, contactId) =>
    server.rows(
      `insert into mailbox_links (user_id, address, thread_id, contact_id, subject, linked_at)
       select id, email, $2, $1, $2, now() from profiles order by id limit 1`,
      [contactId, `a thread ${randomUUID()}`],
    ),
  consents: (server, contactId) =>
    server.rows(
      `insert into consents (contact_id, basis, source, wording, given_at, expires_at)
       values ($1, 'inquiry', 'lead', $2, now() - interval '1 day', now() + interval '6 months')`,
      [contactId, `a form ${randomUUID()}`],
    ),
  card_payments: (server, contactId) =>
    server.rows(
      `with payment as (insert into card_payments (contact_id, purpose, reference_id, description, amount_cents, status, idempotency_key, payload_hash,
           created_at, updated_at, paid_at, booked_at)
         values ($1::uuid, 'balance', $1::uuid, 'Payment towards the account', 5000, 'paid', $2::uuid, 'hash', now(), now(), now(), now()) returning id),
       receipt as (insert into sales_receipts (state, idempotency_key, payload_hash, request_id, realm_id, customer_id, customer_name, lines, taxes,
           subtotal_cents, discount_percent, discount_cents, tax_cents, total_cents, deposit_account_id, deposit_account_name, is_uncertain, created_at)
         values ('complete', gen_random_uuid(), 'hash', $2::text, '1', $2::text, 'A customer', '[]', '[]', 100, 0, 0, 0, 100, '1', 'Chequing', false, now()) returning id),
       dispute as (insert into card_disputes (stripe_dispute_id, payment_id, amount_cents, reason, status, created_at, updated_at)
         select $2::text, id, 5000, 'fraudulent', 'lost', now(), now() from payment)
       insert into card_refunds (id, payment_id, amount_cents, created_at, updated_at) select receipt.id, payment.id, 100, now(), now() from receipt, payment`,
      [contactId, randomUUID()],
    ),
  card_customers: (server, contactId) =>
    server.rows('insert into card_customers (contact_id, customer_id, created_at) values ($1, $2, now())', [
      contactId,
      `cus_${randomUUID()}`,
    ]),
  visit_terms: (server, contactId) =>
    server.rows(
      `insert into visit_terms (id, contact_id, deposit_cents, keeps_card, late_fee_cents, no_show_fee_cents, change_hours, text, language, accepted_at)
       values ($1, $2, 7500, true, 5000, 10000, 48, 'You pay a deposit.', 'en', now())`,
      [randomUUID(), contactId],
    ),
  saved_cards: (server, contactId) =>
    server.rows(
      `insert into saved_cards (contact_id, method_id, brand, last4, expiry_month, expiry_year, consent_text, consent_language, consented_at)
       values ($1, $2, 'visa', '4242', 12, 2040, 'I allow it', 'en', now())`,
      [contactId, `pm_${randomUUID()}`],
    ),
  automatic_payments: (server, contactId) =>
    server.rows(
      `insert into automatic_payments (contact_id, consent_text, consent_language, consented_at) values ($1, 'I allow it', 'en', now())`,
      [contactId],
    ),
  instalment_charges: (server, contactId) =>
    server.rows(
      `insert into instalment_charges (contact_id, charge_id, due_on, attempt, amount_cents, status, charge_on, created_at, updated_at)
       values ($1, $2, '2026-12-01', 1, 5000, 'skipped', '2026-12-01', now(), now())`,
      [contactId, randomUUID()],
    ),
  contact_customers: (server, contactId) =>
    server.rows('insert into contact_customers (contact_id, customer_id, linked_at) values ($1, $2, now())', [contactId, randomUUID()]),
}

export const childTables = Object.keys(inserters)

export async function insertChildRow(server: TestServer, table: string, contactId: string, shared: string = randomUUID()): Promise<void> {
  const inserter = inserters[table]
  if (!inserter) throw new Error(`The table ${table} refers to contacts and has no inserter: add one to test/crm/child-rows.ts`)
  await inserter(server, contactId, shared)
}

/** Inserts one row in each child table. */
export async function insertChildRows(server: TestServer, contactId: string, shared?: string): Promise<void> {
  await Promise.all(childTables.map((table) => insertChildRow(server, table, contactId, shared)))
}

export type ChildRow = { name: string; contact_id: string; row: Record<string, unknown> }

/** The rows of these contacts in each child table. */
export function childRowsOf(server: TestServer, ids: readonly string[]): Promise<ChildRow[]> {
  const tables = childTables.map(
    (table) => `select '${table}' as name, contact_id, to_jsonb(t) - 'contact_id' as row from ${table} as t where contact_id = any($1)`,
  )
  return server.rows<ChildRow>(`${tables.join(' union all ')} order by 1, 2, 3`, [ids])
}
