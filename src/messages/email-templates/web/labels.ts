import { type TemplateVariable, wordsOfKey } from '../rules.ts'

export const variableWords: Record<TemplateVariable, string> = {
  patient_name: 'Patient’s full name',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Patient’s email',
  phone: 'Patient’s phone',
  procedure: 'Procedure of interest',
  lead_source: 'Lead source',
  company_name: 'Practice’s name',
  company_email: 'Practice’s email',
  company_phone: 'Practice’s phone',
  portal_link: 'Link to the patient portal',
  appointment_day: 'Appointment’s day',
  appointment_time: 'Appointment’s time',
  appointment_provider: 'Appointment’s provider',
  appointment_place: 'Appointment’s place',
  appointment_link: 'Link to confirm or request another time',
  balance_due: 'Balance due',
  balance_details: 'What is overdue and what is due next',
  payment_contact: 'How to reach the practice about a payment',
}

/** The categories that the system suggests. */
export const categories = ['general', 'lead', 'appointment', 'follow_up', 'post_op', 'transactional', 'marketing']

/** A category of the system as people write it; any other as it was typed. */
export const shownCategory = (category: string): string => (categories.includes(category) ? wordsOfKey(category) : category)

/** The category that someone means who typed or chose this. */
export const typedCategory = (typed: string): string => categories.find((category) => wordsOfKey(category) === typed) ?? typed
