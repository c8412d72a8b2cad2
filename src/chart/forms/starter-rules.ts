/** The forms that come with the product, to be adapted and published (starters.ts). */
export const starterNames = {
  medical_history: 'Medical history',
  anaesthesia: 'Anaesthesia questionnaire',
  aesthetic_goals: 'Aesthetic goals',
  covid: 'COVID-19 screening',
  check_in: 'Check-in after surgery',
} as const
export type StarterKey = keyof typeof starterNames
