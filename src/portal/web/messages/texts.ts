import { translations } from '../../../shared/translations.ts'

/** The messages between the patient and the practice. */
export const en = {
  title: 'Messages',
  intro: 'Ask us about your care, your appointments or your account. Our staff read your messages during opening hours and answer here.',
  urgent: 'Please call us if it can’t wait.',
  none: 'No messages yet. Write to us below.',
  failed: 'Couldn’t load your messages.',
  list: 'All messages',
  earlier: 'Show earlier messages',
  loading: 'Loading…',
  new: 'New',
  you: 'You',
  at: '{{day}}, {{time}}',
  write: 'Your message',
  send: 'Send message',
  sending: 'Sending…',
  sent: 'Message sent.',
  problems: {
    empty: 'Please write a message',
    TOO_MANY_REQUESTS: 'You have written many messages in the last hour. Please call us.',
    lost: 'The connection was lost. Your text is still here. Send it again: it won’t be sent twice.',
    unexpected: 'Something went wrong. Your text is still here. Please try again.',
  },
} as const

export const fr = {
  title: 'Messages',
  intro:
    'Posez-nous vos questions sur vos soins, vos rendez-vous ou votre compte. Notre personnel lit vos messages pendant les heures d’ouverture et vous répond ici.',
  urgent: 'Si cela ne peut pas attendre, veuillez nous appeler.',
  none: 'Aucun message pour le moment. Écrivez-nous ci-dessous.',
  failed: 'Impossible de charger vos messages.',
  list: 'Tous les messages',
  earlier: 'Afficher les messages précédents',
  loading: 'Chargement…',
  new: 'Nouveau',
  you: 'Vous',
  at: '{{day}}, {{time}}',
  write: 'Votre message',
  send: 'Envoyer le message',
  sending: 'Envoi…',
  sent: 'Message envoyé.',
  problems: {
    empty: 'Veuillez écrire un message',
    TOO_MANY_REQUESTS: 'Vous avez écrit plusieurs messages dans la dernière heure. Veuillez nous appeler.',
    lost: 'La connexion a été perdue. Votre texte est toujours là. Envoyez-le de nouveau : il ne sera pas envoyé deux fois.',
    unexpected: 'Une erreur est survenue. Votre texte est toujours là. Veuillez réessayer.',
  },
}

export const messagesTexts = translations(en, fr)
export type MessageProblem = keyof typeof en.problems
