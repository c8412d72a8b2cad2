import type { TemplateVariable } from '../rules.ts'

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
  appointment_day: 'Appointment’s day',
  appointment_time: 'Appointment’s time',
  appointment_provider: 'Appointment’s provider',
  appointment_place: 'Appointment’s place',
  appointment_link: 'Link to confirm or request another time',
  balance_due: 'Balance due',
  balance_details: 'What is overdue and what is due next',
  payment_contact: 'How to reach the practice about a payment',
}

/** 'follow_up' as people write it. */
export function categoryName(category: string): string {
  const words = category.replaceAll('_', ' ').trim()
  return words.slice(0, 1).toLocaleUpperCase('en-CA') + words.slice(1)
}
