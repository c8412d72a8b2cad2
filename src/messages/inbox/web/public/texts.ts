import { translations } from '../../../../shared/translations.ts'

/** The page behind a short link in a text message. */
export const en = {
  titles: {
    appointment: 'Your appointment',
    offer: 'A time that is free',
    form: 'A form for you',
    consent: 'A document for you',
    portal: 'Your patient portal',
    used: 'This link has already been used',
    expired: 'This link has expired',
    unknown: 'This link no longer works',
    sent: 'A new link is on its way',
    failed: 'We couldn’t open this link',
  },
  ready: 'Open it now. To protect your privacy, this link opens once.',
  open: 'Open',
  opening: 'Opening…',
  used: 'To protect your privacy, each link opens once. We can text you a new one.',
  expired: 'To protect your privacy, links work for a limited time. We can text you a new one.',
  over: 'The appointment or form that it opened is no longer available. Please call us if you have questions.',
  unknown: 'It may be incomplete or too old. Please call {{practice}} for a new one.',
  renew: 'Text me a new link',
  renewing: 'Sending…',
  sent: 'You will receive it by text message in a moment, at the number in your record.',
  problems: {
    tooMany: 'Too many attempts. Please wait 15 minutes, or call us.',
    notPossible: 'We cannot text you a new link. Please call us.',
    unexpected: 'Something went wrong. Please try again.',
    connection: 'You seem to be offline. Please check your internet connection and try again.',
  },
} as const

export const fr = {
  titles: {
    appointment: 'Votre rendez-vous',
    offer: 'Une place libre',
    form: 'Un formulaire pour vous',
    consent: 'Un document pour vous',
    portal: 'Votre portail des patients',
    used: 'Ce lien a déjà été utilisé',
    expired: 'Ce lien a expiré',
    unknown: 'Ce lien ne fonctionne plus',
    sent: 'Un nouveau lien vous est envoyé',
    failed: 'Nous n’avons pas pu ouvrir ce lien',
  },
  ready: 'Ouvrez-le maintenant. Pour protéger vos renseignements personnels, ce lien ne s’ouvre qu’une fois.',
  open: 'Ouvrir',
  opening: 'Ouverture…',
  used: 'Pour protéger vos renseignements personnels, chaque lien ne s’ouvre qu’une fois. Nous pouvons vous en envoyer un nouveau par texto.',
  expired:
    'Pour protéger vos renseignements personnels, les liens fonctionnent pendant un temps limité. Nous pouvons vous en envoyer un nouveau par texto.',
  over: 'Le rendez-vous ou le formulaire qu’il ouvrait n’est plus disponible. Veuillez nous appeler si vous avez des questions.',
  unknown: 'Il est peut-être incomplet ou trop ancien. Veuillez appeler {{practice}} pour en obtenir un nouveau.',
  renew: 'M’envoyer un nouveau lien',
  renewing: 'Envoi…',
  sent: 'Vous le recevrez par texto dans un instant, au numéro inscrit à votre dossier.',
  problems: {
    tooMany: 'Trop de tentatives. Veuillez attendre 15 minutes ou nous appeler.',
    notPossible: 'Nous ne pouvons pas vous envoyer de nouveau lien. Veuillez nous appeler.',
    unexpected: 'Une erreur s’est produite. Veuillez réessayer.',
    connection: 'Vous semblez être hors ligne. Vérifiez votre connexion Internet, puis réessayez.',
  },
}

export const textLinkTexts = translations(en, fr)
