import { translations } from '../../shared/translations.ts'

/** What patients read about a recall: an email that names nothing, and the letter. */
export const en = {
  subject: 'An important message from {{practice}}',
  intro: '{{practice}} has an important message for you about your care.',
  howTo: 'Please call us at {{phone}}.',
  letterTitle: 'Important safety information about your implant',
  date: 'Date',
  dear: 'Dear {{name}},',
  concerns: 'Your implants',
  device: 'Device',
  identifiers: 'Lot and serial number',
  lot: 'Lot {{lot}}',
  serial: 'serial {{serial}}',
  sides: { left: 'Left side', right: 'Right side' },
  call: 'Please call us at {{phone}} so that we can talk about what this means for you.',
  file: 'letter',
} as const

export const fr = {
  subject: 'Un message important de {{practice}}',
  intro: '{{practice}} a un message important à vous transmettre au sujet de vos soins.',
  howTo: 'Veuillez nous appeler au {{phone}}.',
  letterTitle: 'Information importante sur la sécurité de votre implant',
  date: 'Fait le',
  dear: 'Bonjour {{name}},',
  concerns: 'Vos implants',
  device: 'Dispositif',
  identifiers: 'Lot et numéro de série',
  lot: 'Lot {{lot}}',
  serial: 'série {{serial}}',
  sides: { left: 'Côté gauche', right: 'Côté droit' },
  call: 'Veuillez nous appeler au {{phone}} afin que nous parlions de ce que cela signifie pour vous.',
  file: 'lettre',
}

export const recallTexts = translations(en, fr)
