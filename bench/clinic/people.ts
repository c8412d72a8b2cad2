import { generatePatients } from '../../demo/patients/patients.ts'

const procedures = ['Rhinoplasty', 'Breast augmentation', 'Tummy tuck', 'Eyelid surgery', null]

/** People who are not yet patients of any clinic. */
export const newPeople = [...generatePatients(200, 7, Date.UTC(2026, 2, 2))].map(({ firstName, lastName, phone }, at) => ({
  firstName,
  lastName,
  phone: phone ?? '905-555-0100',
  procedure: procedures[at % procedures.length],
}))
