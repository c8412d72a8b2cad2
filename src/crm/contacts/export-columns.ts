import { type SQL, sql } from 'drizzle-orm'
import { fieldLabels } from './rules.ts'

const plain = (column: string): SQL => sql`contacts.${sql.identifier(column)}`
const yesOrNo = (column: string): SQL => sql`case when ${plain(column)} then 'yes' else 'no' end`
const joined = (column: string): SQL => sql`array_to_string(${plain(column)}, '; ')`
const day = (column: string): SQL => sql`${plain(column)}::text`
/** In the practice's time zone, as every screen shows it. */
const instant = (column: string) => (timeZone: string) => sql`to_char(${plain(column)} at time zone ${timeZone}, 'YYYY-MM-DD HH24:MI')`
const nameIn = (table: string, name: string, key: string, orElse = sql`null`): SQL =>
  sql`coalesce((select ${sql.identifier(name)} from ${sql.identifier(table)} as named where named.id = ${plain(key)}), ${orElse})`

/** What can be exported, in the order of the file. The labels are such that an import recognises them. */
export const exportColumns = {
  firstName: { label: fieldLabels.firstName!, value: plain('first_name') },
  lastName: { label: fieldLabels.lastName!, value: plain('last_name') },
  email: { label: fieldLabels.email!, value: plain('email') },
  otherEmails: { label: 'Other emails', value: joined('other_emails') },
  phone: { label: fieldLabels.phone!, value: plain('phone') },
  otherPhones: { label: 'Other phones', value: joined('other_phones') },
  stage: { label: fieldLabels.funnelStage!, value: nameIn('funnel_stages', 'name', 'funnel_stage') },
  source: { label: fieldLabels.leadSource!, value: nameIn('lead_sources', 'name', 'lead_source', plain('lead_source_text')) },
  procedure: {
    label: fieldLabels.procedureOfInterest!,
    value: nameIn('procedures', 'name', 'procedure_of_interest', plain('procedure_text')),
  },
  owner: { label: fieldLabels.assignedSalesRepId!, value: nameIn('profiles', 'full_name', 'assigned_sales_rep_id') },
  provider: { label: fieldLabels.assignedProviderId!, value: nameIn('profiles', 'full_name', 'assigned_provider_id') },
  tags: {
    label: 'Tags',
    value: sql`(select string_agg(tags.name, '; ' order by fold(tags.name)) from contact_tags join tags on tags.id = tag_id where contact_id = contacts.id)`,
  },
  followUp: { label: fieldLabels.nextFollowUpDate!, value: instant('next_follow_up_date') },
  lastContact: { label: fieldLabels.lastContactDate!, value: instant('last_contact_date') },
  consent: { label: fieldLabels.consentToCommunicate!, value: yesOrNo('consent_to_communicate') },
  status: { label: fieldLabels.status!, value: plain('status') },
  address: { label: fieldLabels.address!, value: plain('address') },
  city: { label: fieldLabels.city!, value: plain('city') },
  state: { label: fieldLabels.state!, value: plain('state') },
  zipCode: { label: fieldLabels.zipCode!, value: plain('zip_code') },
  company: { label: fieldLabels.company!, value: plain('company') },
  title: { label: fieldLabels.title!, value: plain('title') },
  notes: { label: fieldLabels.notes!, value: plain('notes') },
  revenue: { label: fieldLabels.revenueCents!, value: sql`(${plain('revenue')}::numeric / 100)::numeric(14, 2)::text` },
  surgicalDate: { label: fieldLabels.surgicalDate!, value: day('surgical_date') },
  appointmentDate: { label: fieldLabels.appointmentDate!, value: day('appointment_date') },
  appointmentTime: { label: fieldLabels.appointmentTime!, value: plain('appointment_time') },
  appointmentLocation: { label: fieldLabels.appointmentLocation!, value: plain('appointment_location') },
  weightLossMedication: { label: fieldLabels.weightLossMedication!, value: plain('weight_loss_medication') },
  requiresSpecialistConsult: { label: fieldLabels.requiresSpecialistConsult!, value: yesOrNo('requires_specialist_consult') },
  specialistConsultType: { label: fieldLabels.specialistConsultType!, value: plain('specialist_consult_type') },
  specialistConsultReason: { label: fieldLabels.specialistConsultReason!, value: plain('specialist_consult_reason') },
  specialistResultsReceived: { label: fieldLabels.specialistResultsReceived!, value: yesOrNo('specialist_results_received') },
  specialistResultsDate: { label: fieldLabels.specialistResultsDate!, value: day('specialist_results_date') },
  specialistNotes: { label: fieldLabels.specialistNotes!, value: plain('specialist_notes') },
  importSource: { label: fieldLabels.importSource!, value: plain('import_source') },
  added: { label: 'Added', value: instant('created_at') },
} satisfies Record<string, { label: string; value: SQL | ((timeZone: string) => SQL) }>
export type ExportColumn = keyof typeof exportColumns

/** The cells of a line, as an array of texts. */
export function cellsOf(columns: readonly ExportColumn[], timeZone: string): SQL {
  const values = columns.map((id) => {
    const { value } = exportColumns[id]
    return sql`coalesce(${typeof value === 'function' ? value(timeZone) : value}, '')`
  })
  return sql`array[${sql.join(values, sql`, `)}]::text[]`
}
