import { randomUUID } from 'node:crypto'
import { starters as consentStarters } from '../src/chart/consent-forms/starters.ts'
import { starters } from '../src/chart/forms/starters.ts'
import type { TestServer } from './server.ts'

type NewContact = {
  firstName?: string
  lastName?: string
  email?: string | null
  phone?: string | null
  otherEmails?: string[]
  otherPhones?: string[]
  /** A stage value, such as 'consult_booked'. */
  stage?: string
  leadSourceId?: string
  leadSourceText?: string
  notes?: string
  /** The contact's sequence number; the next one by default. */
  seq?: number
}

/** Inserts contacts directly into the database, as an import would: without timeline or audit entries. Returns their ids in order. */
export async function insertContacts(server: TestServer, contacts: NewContact[]): Promise<string[]> {
  const numbers = await server.rows<{ n: string }>("select nextval('contacts_seq_seq') as n from generate_series(1, $1)", [contacts.length])
  const rows = contacts.map(({ stage, leadSourceId, leadSourceText, firstName, lastName, otherEmails, otherPhones, ...rest }, i) => ({
    seq: numbers[i]?.n,
    id: randomUUID(),
    first_name: firstName ?? 'Ana',
    last_name: lastName ?? 'Test',
    stage: stage ?? 'lead',
    lead_source: leadSourceId,
    lead_source_text: leadSourceText,
    other_emails: otherEmails ?? [],
    other_phones: otherPhones ?? [],
    ...rest,
  }))
  await server.rows(
    `insert into contacts (id, first_name, last_name, email, phone, other_emails, other_phones, notes, lead_source, lead_source_text, funnel_stage, seq)
     select r.id, r.first_name, r.last_name, r.email, r.phone, r.other_emails, r.other_phones, r.notes, r.lead_source, r.lead_source_text,
       stages.id, r.seq
     from jsonb_to_recordset($1) as r(id uuid, first_name text, last_name text, email text, phone text, other_emails text[],
       other_phones text[], notes text, lead_source uuid, lead_source_text text, stage text, seq bigint)
     join funnel_stages as stages on stages.value = r.stage`,
    [JSON.stringify(rows)],
  )
  if (contacts.some(({ seq }) => seq !== undefined)) await server.rows(`select setval('contacts_seq_seq', (select max(seq) from contacts))`)
  return rows.map((row) => row.id)
}

export async function insertContact(server: TestServer, contact: NewContact = {}): Promise<string> {
  const [id] = await insertContacts(server, [contact])
  return id ?? ''
}

/** Inserts a device that is counted by lot, with 1,000 pieces of a lot at the first of two places. */
async function insertStock(server: TestServer) {
  const [row] = await server.rows<{ deviceId: string; lotId: string; stockPlaceId: string; otherStockPlaceId: string }>(
    `with device as (insert into devices (maker, model, kind, has_serials, is_sterile, created_at)
         values ('Maker', $1, 'injectable', false, false, now()) returning id),
       place as (insert into stock_places (name) values ($1) returning id),
       other_place as (insert into stock_places (name) values ($1 || ' II') returning id),
       lot as (insert into device_lots (device_id, lot) select id, 'A1' from device returning id)
     select (select id from device) as "deviceId", (select id from lot) as "lotId", (select id from place) as "stockPlaceId",
       (select id from other_place) as "otherStockPlaceId"`,
    [randomUUID()],
  )
  if (!row) throw new Error('The insert returned no row')
  await server.rows(`insert into stock_movements (kind, lot_id, quantity, to_place_id, at) values ('receive', $1, 1000, $2, now())`, [
    row.lotId,
    row.stockPlaceId,
  ])
  return row
}

/** Inserts a recall with a letter to a patient. */
async function insertRecall(server: TestServer, contactId: string) {
  const [row] = await server.rows<{ recallId: string; recallPatientId: string; recallLetterId: string }>(
    `with recall as (insert into recalls (title, maker, message_en, message_fr, created_at)
         values ('A recall', $1, 'Call us', 'Appelez-nous', now()) returning id),
       patient as (insert into recall_patients (recall_id, contact_id, key) select id, $2::uuid, id || ':' || $2::uuid from recall returning id),
       letter as (insert into recall_attempts (recall_patient_id, channel, state, language, at) select id, 'letter', 'made', 'en', now() from patient returning id)
     select (select id from recall) as "recallId", (select id from patient) as "recallPatientId", (select id from letter) as "recallLetterId"`,
    [`Recalled ${randomUUID()}`, contactId],
  )
  return row!
}

/** Inserts a published sequence that is off, with a patient under way. */
async function insertSequence(server: TestServer, contactId: string) {
  const draft = {
    trigger: { kind: 'lead', sourceIds: [] },
    filter: '',
    steps: [{ id: 'wait01', kind: 'wait', amount: 1, unit: 'days', working: false, at: null }],
    exits: { reply: 'leave', booking: true, surgery: true, stage: false },
    hours: { from: '08:00', to: '20:00' },
    again: null,
    holdOut: 0,
    alertDays: null,
  }
  const [row] = await server.rows<{ sequenceId: string; sequenceStateId: string }>(
    `with sequence as (insert into sequences (name, draft, published, created_at, updated_at) values ($2, $3::jsonb, 1, now(), now()) returning id),
       version as (insert into sequence_versions (sequence_id, number, definition, published_at) select id, 1, $3::jsonb, now() from sequence),
       state as (insert into automation_state (contact_id, automation, state, sequence_id, number, status, occurred_at, started_at, since, step, arrived_at, due_at)
         select $1::uuid, id::text, '{"trigger": "lead", "stage": null, "subject": null}', id, 1, 'active', now(), now(), now(), 'wait01', now(), '2199-01-31'
         from sequence returning id)
     select (select id from sequence) as "sequenceId", (select id from state) as "sequenceStateId"`,
    [contactId, randomUUID(), JSON.stringify(draft)],
  )
  return row!
}

/** Inserts the draft of a campaign to all patients. */
async function insertCampaign(server: TestServer): Promise<string> {
  const [row] = await server.rows<{ id: string }>(
    `with author as (insert into profiles (full_name, first_name, last_name, email, status, role)
         values ('An Author', 'An', 'Author', $1 || '@clinic.example', 'disabled', 'sales_rep') returning id)
     insert into campaigns (name, audience, created_by, created_at, updated_at) select 'Campaign ' || $1, '{}', id, now(), now() from author returning id`,
    [randomUUID()],
  )
  return row!.id
}

/** Inserts 100 pieces that were opened for a surgery. */
async function insertSurgeryDevice(
  server: TestServer,
  surgeryId: string,
  { lotId, stockPlaceId }: Pick<Awaited<ReturnType<typeof insertStock>>, 'lotId' | 'stockPlaceId'>,
): Promise<string> {
  const [row] = await server.rows<{ id: string }>(
    `insert into surgery_devices (surgery_id, lot_id, quantity, opened_at) values ($1, $2, 100, now()) returning id`,
    [surgeryId, lotId],
  )
  await server.rows(
    `insert into stock_movements (kind, lot_id, quantity, from_place_id, surgery_device_id, at) values ('open', $1, 100, $2, $3, now())`,
    [lotId, stockPlaceId, row!.id],
  )
  return row!.id
}

/** Inserts one new record of each kind that calls refer to; everyone who is signed in is assigned to the task. `authorId`: who wrote the note. */
export async function insertOneOfEach(server: TestServer, authorId: string | null = null) {
  const [contactId, otherContactId] = await insertContacts(server, [{}, {}])
  const [row] = await server.rows<{
    tagId: string
    noteId: string
    sourceId: string
    procedureId: string
    accountId: string
    stageId: string
    otherTagId: string
    spareStageId: string
    leadId: string
    colleagueId: string
    doctorId: string
    visitTypeId: string
    entryId: string
    exceptionId: string
    taskId: string
    documentId: string
    roomId: string
    locationId: string
    quoteId: string
    appointmentId: string
    surgeryId: string
    surgeryItemId: string
    templateId: string
    noteTemplateId: string
    clinicalNoteId: string
    noteRevisionId: string
    healthEntryId: string
    formTemplateId: string
    consentTemplateId: string
    consentFormId: string
    photoSeriesId: string
    photoId: string
    adverseEventId: string
    photoLayerId: string
  }>(
    `with tag as (insert into tags (name) values ($1) returning id),
       other_tag as (insert into tags (name) values ($1 || ' II') returning id),
       spare as (insert into funnel_stages (name, value, sort_order, kind, is_active) values ($1, $1, 90, 'lost', false) returning id), source as (insert into lead_sources (name) values ($1) returning id),
       lead_source as (insert into lead_sources (name) values ($1 || ' II') returning id),
       lead as (insert into lead_entries (source_id, raw_data, raw_body, content_type, status, error_message)
         select id, '{}', '{}', 'application/json', 'error', 'Missing required fields' from lead_source returning id),
       procedure as (insert into procedures (name) values ($1) returning id),
       note as (insert into interactions (contact_id, type, description) values ($2, 'note', 'Prefers texts') returning id),
       account as (insert into profiles (full_name, first_name, last_name, email, email_verified, status)
         values ('Some Body', 'Some', 'Body', $1 || '@elsewhere.example', true, 'active') returning id),
       colleague as (insert into profiles (full_name, first_name, last_name, email, email_verified, status)
         values ('Col League', 'Col', 'League', $1 || '@clinic.example', true, 'active') returning id),
       doctor as (insert into profiles (full_name, first_name, last_name, email, email_verified, status, role)
         values ('Doc Tor', 'Doc', 'Tor', $1 || '@doctors.example', true, 'active', 'provider') returning id),
       visit_type as (insert into visit_types (name, type, minutes, series_visits, series_weeks, created_at, updated_at)
         values ($1, 'consult', 45, 2, 4, now(), now()) returning id),
       visit_type_doctor as (insert into visit_type_people (visit_type_id, part, profile_id)
         select visit_type.id, 'provider', doctor.id from visit_type, doctor),
       entry as (insert into waiting_list_entries (contact_id, visit_type_id, weekdays, day_parts, from_day, to_day, created_at, updated_at)
         select $2, id, '{}', '{}', '2199-01-01', '2199-01-31', now(), now() from visit_type returning id),
       exception as (insert into staff_exceptions (profile_id, kind, from_day, to_day, created_at)
         select id, 'off', '2199-01-01', '2199-01-02', now() from doctor returning id),
       task as (insert into tasks (title, type, due_date, due_at, remind_at, contact_id, assigned_to, created_at, updated_at)
         select 'Call back', 'Call', '2199-01-31', '2199-01-31', '2199-01-31', $2, id, now(), now() from colleague returning id),
       assigned as (insert into task_assignees (task_id, profile_id, position)
         select task.id, user_id, 0 from task, (select distinct user_id from sessions) as signed_in
         union all select task.id, colleague.id, 0 from task, colleague),
       document as (insert into documents (contact_id, name, mime_type, size, sha256, storage_key, upload_source, document_type, is_shared,
           review_state, scan_state, created_at)
         values ($2, 'Scan.pdf', 'application/pdf', 3, 'a', gen_random_uuid()::text, 'patient', 'patient_upload', true, 'pending', 'off', now())
         returning id),
       location as (insert into locations (name) values ($1) returning id),
       room as (insert into rooms (name, kind, location_id) select $1, 'consult', id from location returning id),
       appointment as (insert into appointments (contact_id, type, starts_at, ends_at, created_at, updated_at)
         values ($2, 'consult', '2199-01-15T20:00Z', '2199-01-15T21:00Z', now(), now()) returning id),
       surgery as (insert into surgeries (contact_id, procedures, anaesthesia, starts_at, ends_at, created_at, updated_at)
         select $2, jsonb_build_array(jsonb_build_object('id', procedure.id, 'name', 'Rhinoplasty')), 'general', '2199-01-16T20:00Z',
           '2199-01-16T21:00Z', now(), now() from procedure returning id),
       item as (insert into surgery_items (surgery_id, kind, words, owner_role, due_days, due_on, is_required)
         select id, 'driver', 'A drive home', 'front_desk', -7, '2199-01-09', true from surgery returning id),
       quote as (insert into quotes (contact_id, number, title, valid_until, lines, taxes, subtotal_cents, tax_cents, total_cents, deposit_cents,
           instalments, is_before_surgery, created_at, updated_at)
         values ($2, nextval('quote_numbers'), 'Rhinoplasty', '2199-01-31', '[]', '[]', 100, 13, 113, 113, '[]', false, now(), now()) returning id),
       health_entry as (insert into health_entries (contact_id, kind, name, status, created_at, updated_at)
         values ($2, 'allergy', 'Latex gloves', 'active', now(), now()) returning id),
       template as (insert into checklist_templates (kind, words, owner_role, due_days)
         values ('other', 'A call', 'front_desk', 1) returning id),
       note_template as (insert into note_templates (name, kind, sections)
         values ($1, 'other', '[{"id": "plan", "title": "Plan", "type": "text", "options": [], "prefill": null}]') returning id),
       clinical_note as (insert into clinical_notes (contact_id, template_id, kind, title, sections, occurred_on, author_id, needs_cosign,
           created_at, updated_at, updated_by)
         select $2, note_template.id, 'other', 'Other', '[{"id": "plan", "title": "Plan", "type": "text", "options": [], "answer": "Rest"}]',
           '2026-01-31', author.id, true, now(), now(), author.id
         from note_template, (select coalesce($4::uuid, (select user_id from sessions order by created_at limit 1), colleague.id) as id from colleague) as author returning id, sections, author_id),
       revision as (insert into note_revisions (note_id, title, occurred_on, sections, at, author_id, created_at)
         select id, 'Other', '2026-01-31', sections, now(), author_id, now() from clinical_note returning id),
       form_template as (insert into form_templates default values returning id),
       form_version as (insert into form_versions (template_id, number, definition, published_at)
         select id, 1, $3::jsonb, now() from form_template returning id),
       consent_template as (insert into consent_templates default values returning id),
       consent_version as (insert into consent_template_versions (template_id, number, definition, published_at)
         select id, 1, $5::jsonb, now() from consent_template returning id),
       consent_form as (insert into consent_forms (contact_id, version_id, status, sent_via, sent_at, language, declined_at)
         select $2::uuid, id, 'declined', 'link', now(), 'en', now() from consent_version returning id),
       photo_series as (insert into photo_series (contact_id, shot_list, time_point, taken_on, created_at)
         values ($2, 'face', 'pre_op', '2026-01-31', now()) returning id),
       photo as (insert into photos (id, contact_id, series_id, view, taken_at, mime_type, width, height, size, sha256, created_at)
         select gen_random_uuid(), $2::uuid, id, 'front', now(), 'image/jpeg', 3, 4, 5, 'a', now() from photo_series returning id),
       adverse_event as (insert into adverse_events (contact_id, surgery_id, kind, severity, occurred_at, learned_at, due_on, created_at, created_by)
         select $2::uuid, surgery.id, 'transfer_to_hospital', 'II', '2026-01-30', '2026-01-30', '2199-02-06', now(), author.id
         from surgery, (select coalesce($4::uuid, colleague.id) as id from colleague) as author returning id),
       photo_layer as (insert into photo_layers (photo_id, author_id, shapes, created_at, updated_at)
         select photo.id, author.id, '[]', now(), now() from photo,
           (select coalesce($4::uuid, (select id from profiles order by id limit 1)) as id) as author where author.id is not null returning id)
     -- A join of them all takes longer to plan than to run.
     select (select id from tag) as "tagId", (select id from other_tag) as "otherTagId", (select id from spare) as "spareStageId",
       (select id from source) as "sourceId", (select id from lead) as "leadId", (select id from procedure) as "procedureId",
       (select id from note) as "noteId", (select id from account) as "accountId", (select id from colleague) as "colleagueId",
       (select id from doctor) as "doctorId", (select id from visit_type) as "visitTypeId", (select id from entry) as "entryId", (select id from exception) as "exceptionId",
       (select id from task) as "taskId", (select id from document) as "documentId", (select id from location) as "locationId",
       (select id from room) as "roomId", (select id from appointment) as "appointmentId", (select id from surgery) as "surgeryId",
       (select id from item) as "surgeryItemId", (select id from quote) as "quoteId", (select id from template) as "templateId",
       (select id from note_template) as "noteTemplateId", (select id from clinical_note) as "clinicalNoteId",
       (select id from revision) as "noteRevisionId", (select id from health_entry) as "healthEntryId",
       (select id from form_template) as "formTemplateId", (select id from consent_template) as "consentTemplateId", (select id from consent_form) as "consentFormId",
       (select id from photo_series) as "photoSeriesId", (select id from photo) as "photoId",
       (select id from adverse_event) as "adverseEventId",
       coalesce((select id from photo_layer), gen_random_uuid()) as "photoLayerId",
       (select id from funnel_stages where value = 'lead') as "stageId"`,
    [randomUUID(), contactId, JSON.stringify(starters.covid), authorId, JSON.stringify(consentStarters.photo_use.definition)],
  )
  const stock = await insertStock(server)
  if (!contactId || !otherContactId || !row) throw new Error('The insert returned no row')
  const surgeryDeviceId = await insertSurgeryDevice(server, row.surgeryId, stock)
  return {
    contactId,
    otherContactId,
    ...row,
    ...stock,
    surgeryDeviceId,
    ...(await insertRecall(server, contactId)),
    ...(await insertSequence(server, contactId)),
    campaignId: await insertCampaign(server),
  }
}
export type OneOfEach = Awaited<ReturnType<typeof insertOneOfEach>>
