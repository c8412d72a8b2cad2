import { translations } from '../../shared/translations.ts'

/** Around every page for patients. */
export const en = {
  signOut: 'Sign out',
  needHelp: 'Need help?',
  call: 'Call',
  callClinic: 'Please call the clinic.',
  emergency: 'In an emergency, call 911.',
  loading: 'Loading',
  tryAgain: 'Try again',
  close: 'Close',
} as const

export const fr = {
  signOut: 'Déconnexion',
  needHelp: 'Besoin d’aide?',
  call: 'Appelez-nous au',
  callClinic: 'Veuillez appeler la clinique.',
  emergency: 'En cas d’urgence, composez le 911.',
  loading: 'Chargement',
  tryAgain: 'Réessayer',
  close: 'Fermer',
}

export const frameTexts = translations(en, fr)
