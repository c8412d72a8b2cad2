import type { NewTemplate } from '../../messages/email-templates/contract.ts'
import { htmlFromText } from '../../messages/email-templates/rules.ts'
import type { BranchStep, Definition, PlainStep, Step } from './definition-contract.ts'
import type { StarterKey } from './starter-rules.ts'

/*
 * The sequences that a practice can start from, with their templates in English and French. None names a procedure, and no text message says why
 * someone is a patient. Where texts are not set up, each text is replaced by an email.
 */

type Wait = Extract<PlainStep, { kind: 'wait' }>

/** A step whose template is named by its key. */
type Draft =
  | { kind: 'text'; text: string; email: string }
  | { kind: 'email'; email: string }
  | { kind: 'task'; title: string; hours: number }
  | (Pick<Wait, 'kind' | 'amount' | 'unit'> & Partial<Wait>)
  | { kind: 'until'; from: 'start' | 'event'; days: number; at: string }
  | { kind: 'branch'; on: BranchStep['on']; days: number; yes: Draft[]; no: Draft[] }
  | { kind: 'leave' }

interface Starter extends Omit<Definition, 'steps'> {
  steps: Draft[]
}

const common = {
  filter: '',
  hours: { from: '08:30', to: '19:00' },
  again: null,
  holdOut: 0,
  alertDays: null,
} as const

const days = (amount: number): Draft => ({ kind: 'wait', amount, unit: 'days', working: true, at: '10:00' })
/** A reply ends the sequence with a task for the owner of the patient. */
const ifReplied = (waiting: number, title: string, no: Draft[]): Draft => ({
  kind: 'branch',
  on: 'reply',
  days: waiting,
  yes: [{ kind: 'task', title, hours: 2 }, { kind: 'leave' }],
  no,
})

const starters: Record<StarterKey, Starter> = {
  'new-lead': {
    ...common,
    trigger: { kind: 'lead', sourceIds: [] },
    exits: { reply: 'leave', booking: true, surgery: true, stage: false },
    alertDays: 7,
    steps: [
      { kind: 'text', text: 'new_lead_hello_text', email: 'new_lead_hello' },
      ifReplied(1, 'Answer the lead and book the consult', [
        { kind: 'task', title: 'Call the new lead', hours: 4 },
        days(2),
        { kind: 'email', email: 'new_lead_what_to_expect' },
        ifReplied(4, 'Answer the lead and book the consult', [
          { kind: 'text', text: 'new_lead_questions_text', email: 'new_lead_questions' },
          { kind: 'until', from: 'start', days: 14, at: '10:00' },
          { kind: 'email', email: 'new_lead_last_message' },
        ]),
      ]),
    ],
  },
  'no-show': {
    ...common,
    trigger: { kind: 'appointment-missed' },
    exits: { reply: 'leave', booking: true, surgery: false, stage: false },
    again: 30,
    steps: [
      { kind: 'wait', amount: 2, unit: 'hours' },
      { kind: 'text', text: 'missed_appointment_text', email: 'missed_appointment' },
      ifReplied(1, 'Find another time: they replied about the missed appointment', [
        { kind: 'task', title: 'Call about the missed appointment', hours: 8 },
        days(5),
        { kind: 'email', email: 'missed_appointment_again' },
      ]),
    ],
  },
  quote: {
    ...common,
    trigger: { kind: 'quote-sent' },
    exits: { reply: 'leave', booking: false, surgery: true, stage: false },
    again: 14,
    steps: [
      days(2),
      { kind: 'email', email: 'quote_questions' },
      ifReplied(3, 'Answer the question about the quote', [
        { kind: 'task', title: 'Call about the quote', hours: 8 },
        days(7),
        { kind: 'email', email: 'quote_still_open' },
      ]),
    ],
  },
  'pre-op': {
    ...common,
    trigger: { kind: 'surgery-before', days: 14 },
    exits: { reply: 'continue', booking: false, surgery: false, stage: false },
    again: 1,
    steps: [
      { kind: 'email', email: 'before_surgery_prepare' },
      { kind: 'until', from: 'event', days: -7, at: '10:00' },
      { kind: 'task', title: 'Call a week before surgery: ride home, questions, balance', hours: 8 },
      { kind: 'until', from: 'event', days: -2, at: '10:00' },
      { kind: 'text', text: 'before_visit_text', email: 'before_surgery_soon' },
    ],
  },
  'post-op': {
    ...common,
    trigger: { kind: 'surgery-after', days: 1 },
    exits: { reply: 'continue', booking: false, surgery: false, stage: false },
    again: 1,
    steps: [
      { kind: 'email', email: 'after_surgery_first_days' },
      { kind: 'task', title: 'Call the day after surgery', hours: 8 },
      { kind: 'until', from: 'event', days: 7, at: '10:00' },
      { kind: 'email', email: 'after_surgery_first_week' },
      { kind: 'until', from: 'event', days: 42, at: '10:00' },
      { kind: 'email', email: 'after_surgery_six_weeks' },
    ],
  },
  reactivation: {
    ...common,
    trigger: { kind: 'no-contact', months: 12 },
    exits: { reply: 'leave', booking: true, surgery: true, stage: false },
    again: 365,
    steps: [
      { kind: 'email', email: 'how_have_you_been' },
      ifReplied(7, 'Answer the patient who is back in touch', [days(14), { kind: 'email', email: 'whenever_you_are_ready' }]),
    ],
  },
}

type Words = { subject?: string; paragraphs: string[] }

const closing = { en: 'Kind regards,\n{{company_name}}', fr: 'Cordialement,\n{{company_name}}' }

/** An email in both languages. */
const email = (name: string, category: string, en: Words, fr: Words): NewTemplate[] =>
  (['en', 'fr'] as const).map((language) => {
    const { subject = '', paragraphs } = language === 'en' ? en : fr
    const greeting = language === 'en' ? 'Hello {{first_name}},' : 'Bonjour {{first_name}},'
    const body = [greeting, ...paragraphs, closing[language]].join('\n\n')
    return {
      name: language === 'en' ? name : `${name}_fr`,
      channel: 'email',
      category,
      subject,
      body,
      variables: { html_content: htmlFromText(body) },
    }
  })

const text = (name: string, category: string, en: string, fr: string): NewTemplate[] =>
  [en, fr].map((body, index) => ({
    name: index === 0 ? name : `${name}_fr`,
    channel: 'text',
    category,
    subject: '',
    body,
    variables: { html_content: null },
  }))

export const starterTemplates: readonly NewTemplate[] = [
  ...text(
    'new_lead_hello_text',
    'lead',
    'Hello {{first_name}}, this is {{company_name}}. Thank you for getting in touch! Which day suits you for a short call? Just reply here.',
    'Bonjour {{first_name}}, ici {{company_name}}. Merci de nous avoir écrit! Quel jour vous conviendrait pour un court appel? Répondez simplement ici.',
  ),
  ...email(
    'new_lead_hello',
    'lead',
    {
      subject: 'Which day suits you, {{first_name}}?',
      paragraphs: [
        'Thank you for getting in touch with {{company_name}}. A short call is the easiest way to answer your first questions and find a time for a consultation.',
        'Which day and time suit you? Reply to this email, and we will call you then.',
      ],
    },
    {
      subject: 'Quel jour vous conviendrait, {{first_name}}?',
      paragraphs: [
        'Merci d’avoir communiqué avec {{company_name}}. Un court appel est la façon la plus simple de répondre à vos premières questions et de trouver un moment pour une consultation.',
        'Quel jour et à quelle heure pouvons-nous vous appeler? Répondez à ce courriel, et nous vous appellerons à ce moment-là.',
      ],
    },
  ),
  ...email(
    'new_lead_what_to_expect',
    'lead',
    {
      subject: 'What to expect at your first visit',
      paragraphs: [
        'If you have never been to a consultation, you may wonder what happens there. It is a conversation: you tell us what you have in mind, we explain what is possible, how recovery goes and what it costs, and you decide in your own time.',
        'Nothing is decided on the day, and there is no obligation. You are welcome to bring someone along.',
        'Would you like to come in? Reply with a day that suits you, or call us at {{company_phone}}.',
      ],
    },
    {
      subject: 'À quoi vous attendre lors de votre premier rendez-vous',
      paragraphs: [
        'Si vous n’êtes jamais venu en consultation, vous vous demandez peut-être comment cela se passe. C’est une conversation : vous nous dites ce que vous souhaitez, nous vous expliquons ce qui est possible, le déroulement de la convalescence et les coûts, et vous décidez à votre rythme.',
        'Rien ne se décide sur place, et vous ne vous engagez à rien. Vous pouvez venir avec quelqu’un.',
        'Aimeriez-vous nous rencontrer? Répondez-nous avec un jour qui vous convient, ou appelez-nous au {{company_phone}}.',
      ],
    },
  ),
  ...text(
    'new_lead_questions_text',
    'lead',
    'Hello {{first_name}}, {{company_name}} here. Is there a question we can answer for you? Reply here, or call {{company_phone}}.',
    'Bonjour {{first_name}}, ici {{company_name}}. Pouvons-nous répondre à une question? Écrivez-nous ici, ou appelez au {{company_phone}}.',
  ),
  ...email(
    'new_lead_questions',
    'lead',
    {
      subject: 'Is there a question we can answer?',
      paragraphs: [
        'We wanted to check in. Many people have a question or two before they decide to come in: about recovery, cost, or whether it is right for them at all.',
        'Ask us anything by replying to this email, or call us at {{company_phone}}.',
      ],
    },
    {
      subject: 'Pouvons-nous répondre à une question?',
      paragraphs: [
        'Nous voulions prendre de vos nouvelles. Bien des gens ont une question ou deux avant de décider de nous rencontrer : sur la convalescence, les coûts, ou simplement pour savoir si cela leur convient.',
        'Posez-nous vos questions en répondant à ce courriel, ou appelez-nous au {{company_phone}}.',
      ],
    },
  ),
  ...email(
    'new_lead_last_message',
    'lead',
    {
      subject: 'We are here when you are ready',
      paragraphs: [
        'We have not heard from you, and that is fine: the right time differs for everyone. This is the last message about your inquiry.',
        'When you are ready, reply to this email or call us at {{company_phone}}. We will be glad to hear from you.',
      ],
    },
    {
      subject: 'Nous sommes là quand vous serez prêt',
      paragraphs: [
        'Nous n’avons pas eu de vos nouvelles, et c’est bien ainsi : le bon moment n’est pas le même pour tout le monde. C’est notre dernier message au sujet de votre demande.',
        'Quand vous le voudrez, répondez à ce courriel ou appelez-nous au {{company_phone}}. Nous serons heureux d’avoir de vos nouvelles.',
      ],
    },
  ),
  ...text(
    'missed_appointment_text',
    'appointment',
    'Hello {{first_name}}, we missed you today at {{company_name}} and hope all is well. Shall we find another time? Reply here, or call {{company_phone}}.',
    'Bonjour {{first_name}}, nous vous attendions aujourd’hui chez {{company_name}}. Nous espérons que tout va bien. Cherchons-nous un autre moment? Répondez ici, ou appelez au {{company_phone}}.',
  ),
  ...email(
    'missed_appointment',
    'appointment',
    {
      subject: 'We missed you today',
      paragraphs: [
        'We missed you at {{company_name}} today and hope all is well.',
        'Shall we find another time? Reply to this email with a day that suits you, or call us at {{company_phone}}.',
      ],
    },
    {
      subject: 'Nous vous attendions aujourd’hui',
      paragraphs: [
        'Nous vous attendions chez {{company_name}} aujourd’hui et espérons que tout va bien.',
        'Cherchons-nous un autre moment? Répondez à ce courriel avec un jour qui vous convient, ou appelez-nous au {{company_phone}}.',
      ],
    },
  ),
  ...email(
    'missed_appointment_again',
    'appointment',
    {
      subject: 'Would you still like to come in?',
      paragraphs: [
        'We have kept your file ready. If you would still like to see us, reply to this email or call us at {{company_phone}}, and we will find a time.',
        'If your plans have changed, a short reply is enough, and we will not write about it again.',
      ],
    },
    {
      subject: 'Souhaitez-vous encore nous rencontrer?',
      paragraphs: [
        'Votre dossier est prêt. Si vous souhaitez toujours nous rencontrer, répondez à ce courriel ou appelez-nous au {{company_phone}}, et nous trouverons un moment.',
        'Si vos plans ont changé, un mot suffit, et nous ne vous écrirons plus à ce sujet.',
      ],
    },
  ),
  ...email(
    'quote_questions',
    'follow_up',
    {
      subject: 'Do you have questions about your quote?',
      paragraphs: [
        'You received a quote from us a few days ago. Is everything clear: what is included, the payments, and the next steps?',
        'Reply to this email with your questions, or call us at {{company_phone}}. Take the time that you need.',
      ],
    },
    {
      subject: 'Avez-vous des questions sur votre devis?',
      paragraphs: [
        'Vous avez reçu notre devis il y a quelques jours. Tout est-il clair : ce qui est compris, les paiements et les prochaines étapes?',
        'Répondez à ce courriel avec vos questions, ou appelez-nous au {{company_phone}}. Prenez le temps qu’il vous faut.',
      ],
    },
  ),
  ...email(
    'quote_still_open',
    'follow_up',
    {
      subject: 'Your quote is still open',
      paragraphs: [
        'Your quote is still open in the patient portal, with the day until which it is valid.',
        'If you would like to go ahead, you can accept it there. If something holds you back, reply to this email: we may be able to help.',
      ],
    },
    {
      subject: 'Votre devis est toujours valide',
      paragraphs: [
        'Votre devis se trouve toujours dans le portail des patients, avec la date jusqu’à laquelle il est valide.',
        'Si vous souhaitez aller de l’avant, vous pouvez l’y accepter. Si quelque chose vous fait hésiter, répondez à ce courriel : nous pouvons peut-être vous aider.',
      ],
    },
  ),
  ...email(
    'before_surgery_prepare',
    'appointment',
    {
      subject: 'Two weeks to go: how to prepare',
      paragraphs: [
        'Your surgery at {{company_name}} is coming up. A few things are good to arrange now:',
        '- Someone who drives you home and stays with you for the first night.\n- Time off work, and help at home for the first days.\n- Your prescriptions, filled before the day.',
        'Your instructions are in the patient portal. Please follow what they say about medication, food, drink and smoking, and do not stop a medication on your own.',
        'If you are not well, have a fever or a new infection, or are unsure about anything, call us at {{company_phone}}.',
      ],
    },
    {
      subject: 'Dans deux semaines : comment vous préparer',
      paragraphs: [
        'Votre chirurgie chez {{company_name}} approche. Voici ce qu’il est bon de prévoir dès maintenant :',
        '- Une personne qui vous ramènera à la maison et restera avec vous la première nuit.\n- Un congé, et de l’aide à la maison pour les premiers jours.\n- Vos ordonnances, préparées avant le jour prévu.',
        'Vos consignes se trouvent dans le portail des patients. Suivez-les pour les médicaments, la nourriture, les boissons et le tabac, et n’arrêtez aucun médicament de vous-même.',
        'Si vous ne vous sentez pas bien, si vous avez de la fièvre ou une nouvelle infection, ou en cas de doute, appelez-nous au {{company_phone}}.',
      ],
    },
  ),
  ...text(
    'before_visit_text',
    'appointment',
    'Hello {{first_name}}, {{company_name}} looks forward to seeing you in two days. Your instructions: {{portal_link}} Questions? Call {{company_phone}}.',
    'Bonjour {{first_name}}, {{company_name}} se réjouit de vous voir dans deux jours. Vos consignes : {{portal_link}} Des questions? Appelez au {{company_phone}}.',
  ),
  ...email(
    'before_surgery_soon',
    'appointment',
    {
      subject: 'See you in two days',
      paragraphs: [
        'We look forward to seeing you in two days. Please read your instructions in the patient portal once more, especially from when on you must not eat or drink.',
        'If anything has changed in your health, or if you have questions, call us at {{company_phone}}.',
      ],
    },
    {
      subject: 'À dans deux jours',
      paragraphs: [
        'Nous nous réjouissons de vous voir dans deux jours. Relisez vos consignes dans le portail des patients, surtout l’heure à partir de laquelle vous ne devez plus manger ni boire.',
        'Si votre état de santé a changé ou si vous avez des questions, appelez-nous au {{company_phone}}.',
      ],
    },
  ),
  ...email(
    'after_surgery_first_days',
    'post_op',
    {
      subject: 'How are you feeling today, {{first_name}}?',
      paragraphs: [
        'We hope that you had a restful night. Please follow the instructions that you were given, rest, drink enough, and let others help you.',
        'Reply to this email if you have questions. If something worries you, call us at {{company_phone}}.',
        'If you have severe pain, heavy bleeding, fever, chest pain or trouble breathing, do not wait for our answer: call 911 or go to the nearest emergency department.',
      ],
    },
    {
      subject: 'Comment allez-vous aujourd’hui, {{first_name}}?',
      paragraphs: [
        'Nous espérons que vous avez passé une bonne nuit. Suivez les consignes reçues, reposez-vous, buvez suffisamment et laissez les autres vous aider.',
        'Répondez à ce courriel si vous avez des questions. Si quelque chose vous inquiète, appelez-nous au {{company_phone}}.',
        'En cas de douleur intense, de saignement abondant, de fièvre, de douleur à la poitrine ou de difficulté à respirer, n’attendez pas notre réponse : composez le 911 ou rendez-vous à l’urgence la plus proche.',
      ],
    },
  ),
  ...email(
    'after_surgery_first_week',
    'post_op',
    {
      subject: 'Your first week',
      paragraphs: [
        'A week has passed. Most people feel a little better each day now, and tire easily: that is normal. Keep to what you were told about lifting, driving and washing.',
        'Is there anything we should look at before your next visit? Reply to this email, or call us at {{company_phone}}.',
        'If you have severe pain, heavy bleeding, fever or trouble breathing, call 911 or go to the nearest emergency department.',
      ],
    },
    {
      subject: 'Votre première semaine',
      paragraphs: [
        'Une semaine a passé. La plupart des gens se sentent un peu mieux chaque jour, tout en se fatiguant vite : c’est normal. Respectez les consignes sur les charges, la conduite et l’hygiène.',
        'Devrions-nous regarder quelque chose avant votre prochain rendez-vous? Répondez à ce courriel, ou appelez-nous au {{company_phone}}.',
        'En cas de douleur intense, de saignement abondant, de fièvre ou de difficulté à respirer, composez le 911 ou rendez-vous à l’urgence la plus proche.',
      ],
    },
  ),
  ...email(
    'after_surgery_six_weeks',
    'post_op',
    {
      subject: 'Six weeks on: how are you?',
      paragraphs: [
        'It has been six weeks. We would love to hear how you are, and what we could have done better.',
        'A few words in reply to this email are enough. They reach the people who looked after you.',
      ],
    },
    {
      subject: 'Six semaines plus tard : comment allez-vous?',
      paragraphs: [
        'Six semaines ont passé. Nous aimerions savoir comment vous allez, et ce que nous aurions pu mieux faire.',
        'Quelques mots en réponse à ce courriel suffisent. Ils parviennent aux personnes qui se sont occupées de vous.',
      ],
    },
  ),
  ...email(
    'how_have_you_been',
    'marketing',
    {
      subject: 'How have you been, {{first_name}}?',
      paragraphs: [
        'It has been a while since we last heard from you, and we hope you are well.',
        'If you have been thinking about a visit, or would like a fresh look at something we discussed, reply to this email. We will find a time that suits you.',
      ],
    },
    {
      subject: 'Comment allez-vous, {{first_name}}?',
      paragraphs: [
        'Il y a un moment que nous n’avons pas eu de vos nouvelles, et nous espérons que vous allez bien.',
        'Si vous songez à un rendez-vous, ou si vous aimeriez revoir avec nous un sujet dont nous avons parlé, répondez à ce courriel. Nous trouverons un moment qui vous convient.',
      ],
    },
  ),
  ...email(
    'whenever_you_are_ready',
    'marketing',
    {
      subject: 'Whenever you are ready',
      paragraphs: [
        'Just a short note: our door is open whenever you are ready. Reply to this email, or call us at {{company_phone}}.',
        'We will not write about this again.',
      ],
    },
    {
      subject: 'Quand vous le voudrez',
      paragraphs: [
        'Un mot seulement : notre porte vous est ouverte quand vous le voudrez. Répondez à ce courriel, ou appelez-nous au {{company_phone}}.',
        'Nous ne vous écrirons plus à ce sujet.',
      ],
    },
  ),
]

/** The keys of the templates that a starter uses; `hasTexts`: whether the practice can send texts. */
export function templateKeysOf(key: StarterKey, hasTexts: boolean): string[] {
  const keysIn = (steps: readonly Draft[]): string[] =>
    steps.flatMap((step) => {
      if (step.kind === 'text') return [hasTexts ? step.text : step.email]
      if (step.kind === 'email') return [step.email]
      return step.kind === 'branch' ? [...keysIn(step.yes), ...keysIn(step.no)] : []
    })
  return keysIn(starters[key].steps)
}

/** The draft of a starter, with the ids of its templates by key and new ids for its steps. */
export function definitionOf(key: StarterKey, hasTexts: boolean, templates: ReadonlyMap<string, string>, newId: () => string): Definition {
  const idOf = (template: string): string => templates.get(template)!
  const stepsFrom = (drafts: readonly Draft[]): Step[] =>
    drafts.map((draft): Step => {
      const id = newId()
      switch (draft.kind) {
        case 'text':
          return hasTexts ? { id, kind: 'text', templateId: idOf(draft.text) } : { id, kind: 'email', templateId: idOf(draft.email) }
        case 'email':
          return { id, kind: 'email', templateId: idOf(draft.email) }
        case 'task':
          return { id, kind: 'task', title: draft.title, type: 'Call', hours: draft.hours, people: [] }
        case 'wait':
          return { working: false, at: null, ...draft, id }
        case 'branch':
          return { ...draft, id, yes: stepsFrom(draft.yes), no: stepsFrom(draft.no) }
        case 'until':
        case 'leave':
          return { ...draft, id }
      }
    })
  const { steps, ...rest } = starters[key]
  return { ...rest, steps: stepsFrom(steps) }
}
