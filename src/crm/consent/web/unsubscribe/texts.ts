import { translations } from '../../../../shared/translations.ts'

/** The page of the unsubscribe link. {{address}} is shown in bold. */
export const en = {
  title: 'Unsubscribe',
  done: 'You are unsubscribed',
  announcement: 'You are unsubscribed.',
  unknown: 'This link does not work. Please use the link in the most recent email from {{practice}}, or call us.',
  failed: 'Couldn’t load this page. Please try again.',
  notDone: 'Couldn’t unsubscribe you. Please try again.',
  ask: '{{practice}} will no longer send news and offers to',
  isDone: '{{practice}} no longer sends news and offers to',
  stillGet: 'You will still get codes, receipts and appointment reminders.',
  close: 'You can close this page.',
  unsubscribe: 'Unsubscribe',
  unsubscribing: 'Unsubscribing…',
} as const

export const fr = {
  title: 'Se désabonner',
  done: 'Votre désabonnement est fait',
  announcement: 'Votre désabonnement est fait.',
  unknown: 'Ce lien ne fonctionne pas. Veuillez utiliser celui du dernier courriel reçu de {{practice}}, ou appelez-nous.',
  failed: 'Impossible de charger cette page. Veuillez réessayer.',
  notDone: 'Le désabonnement a échoué. Veuillez réessayer.',
  ask: '{{practice}} n’enverra plus de nouvelles ni d’offres à',
  isDone: '{{practice}} n’envoie plus de nouvelles ni d’offres à',
  stillGet: 'Vous recevrez encore vos codes, vos reçus et les rappels de rendez-vous.',
  close: 'Vous pouvez fermer cette page.',
  unsubscribe: 'Me désabonner',
  unsubscribing: 'Désabonnement…',
}

export const unsubscribeTexts = translations(en, fr)
