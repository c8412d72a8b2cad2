import { translations } from '../../shared/translations.ts'

/** The steps that ask for a code; in English as the specification has them (spec 2, 5 and 8). */
export const en = {
  title: 'Patient Document Portal',
  email: 'Email',
  requestCode: 'Request Access',
  requestingCode: 'Sending Code...',
  codeIntro: 'Enter the 6-digit code sent to your email address.',
  sentTo: 'Sent to',
  code: 'Verification code',
  codeExpires: 'Code expires in: {{left}}',
  verify: 'Verify',
  verifying: 'Verifying...',
  resend: 'Resend Code',
  checkSpam: "Didn't receive it? Check your spam folder or try resending.",
  noCode: 'No code? Call us; we may have a different email on file.',
  codeHint: 'A code stops working after 5 wrong attempts or when a newer one is sent. If yours looks right, request a new one.',
  intro: 'Enter your email address to receive a secure verification code.',
  signedIn: 'You are signed in.',
  signedOut: 'You are signed out.',
  idle: 'For your safety you were signed out after 15 minutes without activity.',
  idleTitle: 'You’ll be signed out soon',
  idleSoon: 'For your safety you will be signed out in',
  stay: 'Stay signed in',
  notOpened: 'Couldn’t open this',
  connectionLost: 'The connection was lost. Please try again.',
  problems: {
    emailRequired: 'Please enter your email address',
    emailInvalid: 'Please enter a valid email address',
    badCode: 'Invalid verification code',
    tooMany: 'Too many attempts. Please wait 15 minutes and try again.',
    sessionOver: 'Your session has ended. Please verify your email address again.',
    unexpected: 'Something went wrong. Please try again.',
  },
} as const

export const fr = {
  title: 'Portail des patients',
  email: 'Courriel',
  requestCode: 'Envoyer le code',
  requestingCode: 'Envoi du code…',
  codeIntro: 'Entrez le code à 6 chiffres envoyé à votre adresse courriel.',
  sentTo: 'Envoyé à',
  code: 'Code de vérification',
  codeExpires: 'Le code expire dans : {{left}}',
  verify: 'Vérifier',
  verifying: 'Vérification…',
  resend: 'Renvoyer le code',
  checkSpam: 'Vous ne l’avez pas reçu? Regardez dans vos courriels indésirables ou demandez un nouveau code.',
  noCode: 'Pas de code? Appelez-nous : nous avons peut-être une autre adresse à votre dossier.',
  codeHint:
    'Un code cesse de fonctionner après 5 essais ou dès qu’un nouveau est envoyé. Si le vôtre semble exact, demandez-en un nouveau.',
  intro: 'Entrez votre adresse courriel pour recevoir un code de vérification.',
  signedIn: 'Votre adresse est confirmée.',
  signedOut: 'Votre session est fermée.',
  idle: 'Pour votre sécurité, votre session a été fermée après 15 minutes d’inactivité.',
  idleTitle: 'Votre session se termine bientôt',
  idleSoon: 'Pour votre sécurité, votre session se fermera dans',
  stay: 'Rester connecté',
  notOpened: 'Impossible d’ouvrir cette page',
  connectionLost: 'La connexion a été perdue. Veuillez réessayer.',
  problems: {
    emailRequired: 'Veuillez entrer votre adresse courriel',
    emailInvalid: 'Veuillez entrer une adresse courriel valide',
    badCode: 'Code de vérification non valide',
    tooMany: 'Trop d’essais. Veuillez attendre 15 minutes, puis réessayer.',
    sessionOver: 'Votre session est terminée. Veuillez confirmer de nouveau votre adresse courriel.',
    unexpected: 'Une erreur est survenue. Veuillez réessayer.',
  },
}

export const portalTexts = translations(en, fr)
export type PortalProblem = keyof typeof en.problems
