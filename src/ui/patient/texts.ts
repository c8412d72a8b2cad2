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
  toPortal: 'Open your portal',
  close: 'Close',
  previousPhoto: 'Previous photo',
  nextPhoto: 'Next photo',
  place: '{{place}} of {{total}}',
  tooLong: 'This text is longer than {{limit}} characters. Nothing is lost: please shorten it before you send it.',
  charactersLeft_one: '{{count}} character left',
  charactersLeft_other: '{{count}} characters left',
  charactersOver_one: '{{count}} character too many',
  charactersOver_other: '{{count}} characters too many',
  demo: 'Demo. The patients are invented, and email goes to a simulator, not to anyone.',
} as const

export const fr = {
  signOut: 'Déconnexion',
  needHelp: 'Besoin d’aide?',
  call: 'Appelez-nous au',
  callClinic: 'Veuillez appeler la clinique.',
  emergency: 'En cas d’urgence, composez le 911.',
  loading: 'Chargement',
  tryAgain: 'Réessayer',
  toPortal: 'Ouvrir votre portail',
  close: 'Fermer',
  previousPhoto: 'Photo précédente',
  nextPhoto: 'Photo suivante',
  place: '{{place}} de {{total}}',
  tooLong: 'Ce texte dépasse {{limit}} caractères. Rien n’est perdu : veuillez le raccourcir avant de l’envoyer.',
  charactersLeft_one: '{{count}} caractère restant',
  charactersLeft_other: '{{count}} caractères restants',
  charactersOver_one: '{{count}} caractère en trop',
  charactersOver_other: '{{count}} caractères en trop',
  demo: 'Démonstration. Les patients sont inventés, et les courriels vont à un simulateur; personne ne les reçoit.',
}

export const frameTexts = translations(en, fr)
