import { translations } from '../shared/translations.ts'

/** The emails and text messages of the portal. */
export const en = {
  codeSubject: '{{code}} is your code for {{practice}}',
  codeIntro: 'Your code for the patient document portal is:',
  formCode: 'Your code to fill in the form for your visit is:',
  consentCode: 'Your code to read the document for your visit is:',
  codeExpires: 'It works once and expires in {{minutes}} minutes.',
  codeClosing: 'We never ask for this code by phone or email. If you did not ask for it, you can ignore this email.',
  codeText: '{{code}} is your code for {{practice}}. It works once and expires in {{minutes}} minutes. Never share it.',
  sharedSubject: 'Your documents at {{practice}}',
  sharedIntro: 'Someone requested a code to view documents.',
  shared:
    'More than one patient has given us this email address, so we can’t tell who is asking. Please call us so that we can add an address for each of you.',
  sharedClosing: 'If you did not ask for it, you can ignore this email.',
} as const

export const fr = {
  codeSubject: '{{code}} est votre code pour {{practice}}',
  codeIntro: 'Votre code pour le portail des patients est :',
  formCode: 'Votre code pour remplir le formulaire pour votre rendez-vous est :',
  consentCode: 'Votre code pour lire le document pour votre rendez-vous est :',
  codeExpires: 'Il sert une seule fois et expire dans {{minutes}} minutes.',
  codeClosing:
    'Nous ne demandons jamais ce code par téléphone ou par courriel. Si vous ne l’avez pas demandé, vous pouvez ignorer ce courriel.',
  codeText: '{{code}} est votre code pour {{practice}}. Il sert une seule fois et expire dans {{minutes}} minutes. Ne le partagez jamais.',
  sharedSubject: 'Vos documents chez {{practice}}',
  sharedIntro: 'Une personne a demandé un code pour voir des documents.',
  shared:
    'Plus d’un patient nous a donné cette adresse courriel; nous ne pouvons donc pas savoir qui fait la demande. Veuillez nous appeler pour que nous inscrivions une adresse pour chacun de vous.',
  sharedClosing: 'Si vous n’êtes pas à l’origine de cette demande, vous pouvez ignorer ce courriel.',
}

export const portalEmailTexts = translations(en, fr)
