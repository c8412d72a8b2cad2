import { translations } from '../../shared/translations.ts'

/** The steps that ask for a code; in English as the specification has them (spec 2, 5 and 8). */
export const en = {
  email: 'Email',
  emailRequired: 'Please enter your email address',
  emailInvalid: 'Please enter a valid email address',
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
  badCode: 'Invalid verification code',
  tooMany: 'Too many attempts. Please wait 15 minutes and try again.',
  unexpected: 'Something went wrong. Please try again.',
  intro: 'Enter your email address to receive a secure verification code.',
  signedIn: 'You are signed in.',
} as const

export const fr = {
  email: 'Courriel',
  emailRequired: 'Veuillez entrer votre adresse courriel',
  emailInvalid: 'Veuillez entrer une adresse courriel valide',
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
  badCode: 'Code de vérification non valide',
  tooMany: 'Trop d’essais. Veuillez attendre 15 minutes, puis réessayer.',
  unexpected: 'Une erreur est survenue. Veuillez réessayer.',
  intro: 'Entrez votre adresse courriel pour recevoir un code de vérification.',
  signedIn: 'Votre adresse est confirmée.',
}

export const portalTexts = translations(en, fr)
