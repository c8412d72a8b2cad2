import { translations } from '../../shared/translations.ts'

/** The end of a commercial email or text, the email about an answer in the portal, and the answers to STOP, START and HELP and to a missed call. */
export const en = {
  sentBy: '{{practice}} ({{contact}}) sent you this email.',
  unsubscribe: 'Unsubscribe',
  unsubscribeAt: 'Unsubscribe: {{link}}',
  textEnd: '{{from}}. Reply STOP to end texts.',
  newLink: '{{practice}}: here is your new link. It opens once: {{link}}',
  answerSubject: 'New message from {{practice}}',
  answerIntro: '{{practice}} has answered your message in the patient portal.',
  answerHowTo: 'To protect your privacy, the message is not in this email. Open the portal to read it and to reply.',
  textsStopped: '{{practice}}: you will not receive further text messages from us. Reply START to receive them again.',
  textsStarted: '{{practice}}: you will receive our text messages again. Reply STOP to end them.',
  textsHelp: '{{practice}}: for help, call us at {{phone}}. Reply STOP to end text messages.',
  missedCall:
    '{{practice}}: sorry that we missed your call. How can we help? Reply here, or we will call you back. Reply STOP to end texts.',
  textsHelpNoPhone: '{{practice}}: for help, contact us. Reply STOP to end text messages.',
} as const

export const fr = {
  sentBy: 'Ce courriel vous est envoyé par {{practice}} ({{contact}}).',
  unsubscribe: 'Se désabonner',
  unsubscribeAt: 'Se désabonner : {{link}}',
  textEnd: '{{from}}. Répondez ARRET pour ne plus recevoir de textos.',
  newLink: '{{practice}} : voici votre nouveau lien. Il s’ouvre une seule fois : {{link}}',
  answerSubject: 'Nouveau message de {{practice}}',
  answerIntro: '{{practice}} a répondu à votre message dans le portail des patients.',
  answerHowTo:
    'Pour protéger vos renseignements personnels, le message ne figure pas dans ce courriel. Ouvrez le portail pour le lire et y répondre.',
  textsStopped: '{{practice}} : vous ne recevrez plus de messages texte de notre part. Répondez START pour en recevoir de nouveau.',
  textsStarted: '{{practice}} : vous recevrez de nouveau nos messages texte. Répondez ARRET pour ne plus en recevoir.',
  textsHelp: '{{practice}} : pour obtenir de l’aide, appelez-nous au {{phone}}. Répondez ARRET pour ne plus recevoir de messages texte.',
  missedCall:
    '{{practice}} : désolés d’avoir manqué votre appel. Comment pouvons-nous vous aider? Répondez ici, ou nous vous rappellerons. Répondez ARRET pour ne plus recevoir de textos.',
  textsHelpNoPhone: '{{practice}} : pour obtenir de l’aide, communiquez avec nous. Répondez ARRET pour ne plus recevoir de messages texte.',
}

export const inboxTexts = translations(en, fr)
