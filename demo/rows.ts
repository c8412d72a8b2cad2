import { leadMessages } from '../src/crm/leads/contract.ts'
import { copyLine } from './copy.ts'
import type { RoomName } from './diary.ts'
import type { StageValue } from './patients/journey.ts'
import type { Patient } from './patients/patients.ts'
import { type Random, uuidv7 } from './random.ts'
import type { RefusedForm } from './refused-forms.ts'
import type { SourceName } from './sources.ts'
import type { StaffKey } from './staff.ts'
import type { TagName } from './patients/tags.ts'

/** Ids of the records that patients refer to. */
export type References = {
  stages: Record<StageValue, string>
  sources: Record<SourceName, string>
  procedures: Record<string, string>
  tags: Record<TagName, string>
  staff: Record<StaffKey, string>
  rooms: Record<RoomName, string>
}

/** The tables to fill and their columns, in the order of their foreign keys. */
export const tables = {
  contacts:
    `id version first_name last_name email phone address city state zip_code company title date_of_birth pronouns preferred_language preferred_name
    sex_at_birth gender emergency_contact_name emergency_contact_phone emergency_contact_relationship family_physician pharmacy notes status lead_source lead_source_text
    funnel_stage stage_entered_at procedure_of_interest procedure_text assigned_sales_rep_id assigned_provider_id last_contact_date
    next_follow_up_date consent_to_communicate import_source weight_loss_medication requires_specialist_consult specialist_consult_type
    specialist_consult_reason specialist_results_received specialist_results_date specialist_notes surgical_date revenue appointment_date
    appointment_time appointment_location metadata created_at updated_at`.split(/\s+/),
  contact_stage_history: 'id contact_id from_stage to_stage changed_at changed_by from_entered_at'.split(' '),
  interactions: 'id contact_id type description date created_by outcome metadata created_at'.split(' '),
  contact_tags: 'contact_id tag_id created_at'.split(' '),
  tasks: `id title description type priority status due_date due_time_constraint due_at remind_at notification_sent completed completed_at
    contact_id assigned_to created_by created_at updated_at`.split(/\s+/),
  task_assignees: 'task_id profile_id position'.split(' '),
  appointments: `id version contact_id type provider_id room_id starts_at ends_at status cancel_reason notes rebook_task_id created_by
    created_at updated_at`.split(/\s+/),
  lead_entries: 'id source_id raw_data raw_body content_type status contact_id received_at processed_at error_message'.split(' '),
} as const
export type Table = keyof typeof tables
export type Lines = Record<Table, string[]>

export const emptyLines = (): Lines => Object.fromEntries(Object.keys(tables).map((table) => [table, []])) as unknown as Lines

const instant = (value: number): string => new Date(value).toISOString()
const mapNullable = <In, Out>(value: In | null, map: (value: In) => Out): Out | null => (value === null ? null : map(value))

/** Adds a patient's rows. Ids ascend from patient to patient, so that indexes grow at their end. */
export function addRows(to: Lines, patient: Patient, references: References, random: Random): void {
  const { stages, sources, tags, staff } = references
  const { id, moves, timeline, source } = patient
  const by = (key: StaffKey | null) => mapNullable(key, (member) => staff[member])
  let order = 0
  const nextId = () => uuidv7(patient.createdAt, order++, random)

  to.contacts.push(contactLine(patient, references))
  for (const [i, { from, to: into, at, by: mover }] of moves.entries()) {
    const from_stage = mapNullable(from, (stage) => stages[stage])
    const entered = moves[i - 1] ? instant(moves[i - 1]!.at) : null
    to.contact_stage_history.push(copyLine([nextId(), id, from_stage, stages[into], instant(at), by(mover), entered]))
  }
  for (const { type, text, at, by: author, outcome, move } of timeline) {
    const metadata = mapNullable(move, ({ from, to: into }) =>
      JSON.stringify({ from: mapNullable(from, (stage) => stages[stage]), to: stages[into] }),
    )
    to.interactions.push(copyLine([nextId(), id, type, text, instant(at), by(author), outcome, metadata, instant(at)]))
  }
  for (const { name, at } of patient.tags) to.contact_tags.push(copyLine([id, tags[name], instant(at)]))
  if (patient.form && source.form) {
    const received = instant(patient.createdAt - random.int(40, 900))
    const outcome = ['completed', id, received, instant(patient.createdAt), null]
    to.lead_entries.push(copyLine([nextId(), sources[source.form], ...bodyOf(patient.form), ...outcome]))
  }
}

export function addRefusedForm(to: Lines, { at, form }: RefusedForm, { sources }: References, random: Random): void {
  const outcome = ['error', null, instant(at), instant(at + 60), leadMessages.missing]
  to.lead_entries.push(copyLine([uuidv7(at, 0, random), sources['Website Form'], ...bodyOf(form), ...outcome]))
}

/** The submission: its fields, its raw body and its content type. */
const bodyOf = (form: Record<string, string>) => [
  JSON.stringify(form),
  new URLSearchParams(form).toString(),
  'application/x-www-form-urlencoded',
]

/** In the order of the columns above. */
function contactLine(patient: Patient, { stages, sources, procedures, staff }: References): string {
  const stage = patient.moves.at(-1)!
  const { source } = patient
  return copyLine([
    patient.id,
    patient.version,
    patient.firstName,
    patient.lastName,
    patient.email,
    patient.phone,
    patient.address,
    patient.city,
    patient.state,
    patient.zipCode,
    patient.company,
    patient.title,
    patient.dateOfBirth,
    patient.pronouns,
    patient.preferredLanguage,
    patient.preferredName,
    patient.sexAtBirth,
    patient.gender,
    patient.emergencyContactName,
    patient.emergencyContactPhone,
    patient.emergencyContactRelationship,
    patient.familyPhysician,
    patient.pharmacy,
    patient.notes,
    patient.status,
    mapNullable(source.name, (name) => sources[name]),
    source.text,
    stages[stage.to],
    instant(stage.at),
    mapNullable(patient.procedure, (name) => procedures[name]!),
    patient.procedureText,
    mapNullable(patient.salesRep, (key) => staff[key]),
    mapNullable(patient.provider, (key) => staff[key]),
    mapNullable(patient.lastContactDate, instant),
    mapNullable(patient.nextFollowUpDate, instant),
    patient.consentToCommunicate,
    patient.importSource,
    patient.weightLossMedication,
    patient.requiresSpecialistConsult,
    patient.specialistConsultType,
    patient.specialistConsultReason,
    patient.specialistResultsReceived,
    patient.specialistResultsDate,
    patient.specialistNotes,
    patient.surgicalDate,
    patient.revenueCents,
    patient.appointmentDate,
    patient.appointmentTime,
    patient.appointmentLocation,
    mapNullable(patient.metadata, (value) => JSON.stringify(value)),
    instant(patient.createdAt),
    instant(patient.updatedAt),
  ])
}
