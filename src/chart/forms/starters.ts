import {
  blankQuestion,
  type ChartField,
  type Condition,
  type FormDefinition,
  type Option,
  type Question,
  type QuestionType,
  type RedFlag,
  type Section,
} from './definition-rules.ts'
import type { Words } from '../../shared/translations.ts'
import type { StarterKey } from './starter-rules.ts'

/*
 * Forms to start from. Each is a draft until an administrator has adapted and published it: what a practice asks is for its physicians to
 * decide. The screening questions about appearance are a template for a conversation and no diagnosis.
 */

const words = (en: string, fr: string): Words => ({ en, fr })

type Rest = Partial<Omit<Question, 'id' | 'type' | 'label'>>
const question = (id: string, type: QuestionType, label: Words, rest: Rest = {}): Question => ({
  id,
  type,
  label,
  ...blankQuestion,
  ...rest,
})
const required = { isRequired: true } as const
const section = (id: string, title: Words, questions: Question[], rest: Partial<Section> = {}): Section => ({
  id,
  title,
  help: null,
  showIf: null,
  questions,
  ...rest,
})
const option = (id: string, en: string, fr: string): Option => ({ id, label: words(en, fr), isExclusive: false })
const none: Option = { id: 'none', label: words('None of these', 'Aucune de ces réponses'), isExclusive: true }

const ifYes = (id: string): Condition => ({ question: id, test: 'equals', value: true })
const flagIfYes = (en: string, fr: string, to: RedFlag['to'] = 'alert'): RedFlag => ({
  when: { test: 'equals', value: true },
  message: words(en, fr),
  to,
})
const yesNo = (id: string, en: string, fr: string, rest: Rest = {}) => question(id, 'yes_no', words(en, fr), { ...required, ...rest })
/** What to tell after a yes. */
const details = (id: string, of: string, en: string, fr: string, mapsTo: ChartField | null = null) =>
  question(id, 'long_text', words(en, fr), { ...required, showIf: ifYes(of), mapsTo })

const nicotine = question(
  'nicotine',
  'choice',
  words(
    'Do you smoke, vape or use nicotine in another form?',
    'Fumez-vous, vapotez-vous ou consommez-vous de la nicotine sous une autre forme?',
  ),
  {
    ...required,
    mapsTo: 'nicotine',
    options: [option('never', 'Never', 'Jamais'), option('former', 'I have stopped', 'J’ai cessé'), option('now', 'Yes', 'Oui')],
    redFlag: { when: { test: 'equals', value: 'now' }, message: words('Uses nicotine', 'Consomme de la nicotine'), to: 'task' },
  },
)

const signature = (): Section =>
  section('signing', words('Signature', 'Signature'), [
    question(
      'signature',
      'signature',
      words('I have answered completely and truthfully.', 'J’ai répondu de façon complète et véridique.'),
      required,
    ),
    question('signed_on', 'date', words('Date', 'Date'), { ...required, earliest: -1, latest: 0 }),
  ])

/** A new form before anything is written. */
export const emptyDefinition: FormDefinition = {
  title: words('New form', ''),
  sections: [section('section_1', words('', ''), [question('question_1', 'text', words('', ''))])],
}

const medicalHistory: FormDefinition = {
  title: words('Medical history', 'Antécédents médicaux'),
  sections: [
    section('you', words('About you', 'À propos de vous'), [
      question('preferred_name', 'text', words('What should we call you?', 'Comment souhaitez-vous qu’on vous appelle?'), {
        mapsTo: 'preferred_name',
      }),
      question('pronouns', 'text', words('Your pronouns', 'Vos pronoms'), { mapsTo: 'pronouns' }),
      question('born', 'date', words('Date of birth', 'Date de naissance'), { ...required, latest: 0, mapsTo: 'birth_date' }),
      question('sex_at_birth', 'choice', words('Sex assigned at birth', 'Sexe attribué à la naissance'), {
        mapsTo: 'sex_at_birth',
        help: words(
          'It matters for some medications and for anaesthesia.',
          'Cette information compte pour certains médicaments et pour l’anesthésie.',
        ),
        options: [
          option('female', 'Female', 'Féminin'),
          option('male', 'Male', 'Masculin'),
          option('intersex', 'Intersex', 'Intersexué'),
          option('not_stated', 'I prefer not to say', 'Je préfère ne pas répondre'),
        ],
      }),
      question('language', 'choice', words('In which language should we write to you?', 'Dans quelle langue devons-nous vous écrire?'), {
        mapsTo: 'preferred_language',
        options: [option('en', 'English', 'Anglais'), option('fr', 'French', 'Français')],
      }),
      question('phone', 'text', words('Phone number', 'Numéro de téléphone'), { mapsTo: 'phone' }),
      question('height', 'number', words('Height', 'Taille'), { ...required, min: 100, max: 230, unit: 'cm', mapsTo: 'height' }),
      question('weight', 'number', words('Weight', 'Poids'), { ...required, min: 30, max: 300, unit: 'kg', mapsTo: 'weight' }),
      question(
        'emergency_contact',
        'text',
        words('Emergency contact: name and phone number', 'Personne à joindre en cas d’urgence : nom et numéro de téléphone'),
        {
          ...required,
          mapsTo: 'emergency_contact',
        },
      ),
      question(
        'emergency_relationship',
        'text',
        words('Their relationship to you, such as spouse or parent', 'Lien avec vous, par exemple conjoint ou parent'),
        { mapsTo: 'emergency_relationship' },
      ),
      question('family_doctor', 'text', words('Family doctor', 'Médecin de famille'), { mapsTo: 'family_doctor' }),
      question('pharmacy', 'text', words('Pharmacy', 'Pharmacie'), { mapsTo: 'pharmacy' }),
    ]),
    section('allergies', words('Allergies', 'Allergies'), [
      yesNo(
        'has_allergies',
        'Are you allergic to anything, such as a medication, latex, tape or food?',
        'Avez-vous des allergies, par exemple à un médicament, au latex, à un ruban adhésif ou à un aliment?',
        { mapsTo: 'allergies' },
      ),
      details(
        'allergy_list',
        'has_allergies',
        'What are you allergic to, and what happens?',
        'À quoi êtes-vous allergique, et quelle est la réaction?',
        'allergies',
      ),
      yesNo('anaphylaxis', 'Have you ever had a severe reaction (anaphylaxis)?', 'Avez-vous déjà eu une réaction grave (anaphylaxie)?', {
        showIf: ifYes('has_allergies'),
        redFlag: flagIfYes('Reports a previous anaphylaxis', 'Signale une anaphylaxie antérieure'),
      }),
    ]),
    section('medications', words('Medications', 'Médicaments'), [
      yesNo(
        'takes_medications',
        'Do you take medications, vitamins or herbal products?',
        'Prenez-vous des médicaments, des vitamines ou des produits à base de plantes?',
        { mapsTo: 'medications' },
      ),
      details(
        'medication_list',
        'takes_medications',
        'List each with its dose and how often you take it',
        'Indiquez chacun avec la dose et la fréquence',
        'medications',
      ),
      yesNo(
        'blood_thinners',
        'Do you take a blood thinner, such as warfarin, apixaban, rivaroxaban, clopidogrel or daily ASA (Aspirin)?',
        'Prenez-vous un anticoagulant ou un antiplaquettaire, comme la warfarine, l’apixaban, le rivaroxaban, le clopidogrel ou de l’AAS (Aspirin) chaque jour?',
        {
          redFlag: flagIfYes(
            'Takes a blood thinner: plan before surgery',
            'Prend un anticoagulant ou un antiplaquettaire : à planifier avant la chirurgie',
          ),
        },
      ),
      yesNo(
        'weight_loss_medication',
        'Do you take a medication for weight loss or diabetes, such as Ozempic, Wegovy or Mounjaro?',
        'Prenez-vous un médicament pour la perte de poids ou le diabète, comme Ozempic, Wegovy ou Mounjaro?',
        {
          redFlag: flagIfYes(
            'Takes a GLP-1 medication: plan before anaesthesia',
            'Prend un agoniste du GLP-1 : à planifier avant l’anesthésie',
            'task',
          ),
        },
      ),
      details(
        'weight_loss_list',
        'weight_loss_medication',
        'Which one, with its dose, and when did you last take it?',
        'Lequel, à quelle dose, et quand l’avez-vous pris la dernière fois?',
        'weight_loss_medications',
      ),
    ]),
    section('health', words('Health', 'Santé'), [
      question(
        'conditions',
        'choices',
        words('Do you have, or have you had, any of these?', 'Avez-vous ou avez-vous eu l’un de ces problèmes?'),
        {
          ...required,
          mapsTo: 'conditions',
          options: [
            option('high_blood_pressure', 'High blood pressure', 'Hypertension'),
            option('heart', 'Heart disease', 'Maladie du cœur'),
            option('asthma', 'Asthma or lung disease', 'Asthme ou maladie pulmonaire'),
            option('sleep_apnea', 'Sleep apnea', 'Apnée du sommeil'),
            option('diabetes', 'Diabetes', 'Diabète'),
            option('bleeding', 'Bleeding disorder', 'Trouble de la coagulation'),
            option('clots', 'Blood clot in a leg or lung', 'Caillot dans une jambe ou un poumon'),
            option('stroke', 'Stroke', 'AVC'),
            option('thyroid', 'Thyroid disease', 'Maladie de la thyroïde'),
            option('kidney_liver', 'Kidney or liver disease', 'Maladie des reins ou du foie'),
            option('autoimmune', 'Autoimmune disease', 'Maladie auto-immune'),
            option('keloid', 'Thick or raised scars', 'Cicatrices épaisses ou surélevées'),
            option(
              'mental_health',
              'Anxiety, depression or another mental health condition',
              'Anxiété, dépression ou autre problème de santé mentale',
            ),
            none,
          ],
          redFlag: {
            when: { test: 'includes', value: 'clots' },
            message: words('Reports a previous blood clot', 'Signale un caillot antérieur'),
            to: 'alert',
          },
        },
      ),
      question(
        'other_conditions',
        'long_text',
        words('Anything else about your health that we should know?', 'Y a-t-il autre chose que nous devrions savoir sur votre santé?'),
        { mapsTo: 'conditions' },
      ),
      yesNo('had_surgery', 'Have you had surgery before?', 'Avez-vous déjà subi une opération?', { mapsTo: 'past_surgeries' }),
      details('surgery_list', 'had_surgery', 'Which operations, and when?', 'Quelles opérations, et quand?', 'past_surgeries'),
      yesNo(
        'has_implants',
        'Do you have implants, such as a pacemaker, joint or breast implants?',
        'Avez-vous des implants, par exemple un stimulateur cardiaque, une prothèse articulaire ou des implants mammaires?',
        { mapsTo: 'implants' },
      ),
      details('implant_list', 'has_implants', 'Which implants, and since when?', 'Quels implants, et depuis quand?', 'implants'),
      yesNo(
        'pregnancy',
        'Are you pregnant or breastfeeding, or could you be pregnant?',
        'Êtes-vous enceinte, allaitez-vous ou pourriez-vous être enceinte?',
        {
          mapsTo: 'pregnancy',
          redFlag: flagIfYes('May be pregnant or breastfeeding', 'Peut être enceinte ou allaite'),
        },
      ),
      nicotine,
      question(
        'alcohol',
        'number',
        words('How many alcoholic drinks do you have in a week?', 'Combien de consommations d’alcool prenez-vous par semaine?'),
        { ...required, min: 0, max: 100, mapsTo: 'alcohol' },
      ),
      question(
        'family',
        'long_text',
        words(
          'Illnesses in your family, such as clots, bleeding or problems with anaesthesia',
          'Maladies dans votre famille, par exemple caillots, saignements ou problèmes d’anesthésie',
        ),
        { mapsTo: 'family_history' },
      ),
    ]),
    signature(),
  ],
}

const anaesthesia: FormDefinition = {
  title: words('Anaesthesia questionnaire', 'Questionnaire d’anesthésie'),
  sections: [
    section('before', words('Earlier anaesthesia', 'Anesthésies antérieures'), [
      yesNo('had_anaesthesia', 'Have you had an anaesthetic before?', 'Avez-vous déjà eu une anesthésie?'),
      yesNo(
        'anaesthesia_problem',
        'Did you have a problem with it, such as a difficult intubation, severe nausea or waking up slowly?',
        'Y a-t-il eu un problème, par exemple une intubation difficile, de fortes nausées ou un réveil lent?',
        {
          showIf: ifYes('had_anaesthesia'),
          mapsTo: 'anaesthesia_history',
          redFlag: flagIfYes('Reports a previous problem with anaesthesia', 'Signale un problème d’anesthésie antérieur'),
        },
      ),
      details('anaesthesia_details', 'anaesthesia_problem', 'What happened?', 'Que s’est-il passé?', 'anaesthesia_history'),
      yesNo(
        'family_anaesthesia',
        'Has a relative had a serious problem with anaesthesia, such as malignant hyperthermia?',
        'Un membre de votre famille a-t-il eu un problème grave d’anesthésie, comme une hyperthermie maligne?',
        {
          redFlag: flagIfYes(
            'Family history of a serious problem with anaesthesia',
            'Antécédents familiaux d’un problème grave d’anesthésie',
          ),
        },
      ),
    ]),
    section('body', words('Height, weight and habits', 'Taille, poids et habitudes'), [
      question('height', 'number', words('Height', 'Taille'), { ...required, min: 100, max: 230, unit: 'cm', mapsTo: 'height' }),
      question('weight', 'number', words('Weight', 'Poids'), { ...required, min: 30, max: 300, unit: 'kg', mapsTo: 'weight' }),
      nicotine,
    ]),
    section('breathing', words('Sleep and breathing', 'Sommeil et respiration'), [
      yesNo('snores', 'Do you snore loudly?', 'Ronflez-vous fort?'),
      yesNo('tired', 'Are you often tired during the day?', 'Ressentez-vous souvent de la fatigue durant la journée?'),
      yesNo(
        'stops_breathing',
        'Has anyone seen you stop breathing in your sleep?',
        'Quelqu’un vous a-t-il vu cesser de respirer en dormant?',
        {
          redFlag: flagIfYes('May have sleep apnea', 'Apnée du sommeil possible'),
        },
      ),
      yesNo('uses_cpap', 'Do you use a CPAP device?', 'Utilisez-vous un appareil CPAP?'),
      yesNo('two_flights', 'Can you climb two flights of stairs without stopping?', 'Pouvez-vous monter deux étages sans vous arrêter?', {
        redFlag: {
          when: { test: 'equals', value: false },
          message: words('Cannot climb two flights of stairs', 'Ne peut pas monter deux étages'),
          to: 'alert',
        },
      }),
    ]),
    section('teeth', words('Teeth and neck', 'Dents et cou'), [
      question('mouth', 'choices', words('Do you have any of these?', 'Avez-vous l’un des éléments suivants?'), {
        ...required,
        options: [
          option('loose_teeth', 'Loose teeth', 'Dents mobiles'),
          option('dentures', 'Dentures', 'Prothèses dentaires'),
          option('crowns', 'Crowns or veneers', 'Couronnes ou facettes'),
          option('stiff_neck', 'A stiff neck or jaw', 'Raideur du cou ou de la mâchoire'),
          none,
        ],
      }),
      yesNo('reflux', 'Do you have heartburn or reflux?', 'Avez-vous des brûlures d’estomac ou du reflux?'),
    ]),
    section('home', words('Going home', 'Retour à la maison'), [
      yesNo(
        'has_ride',
        'Can someone take you home and stay with you the first night?',
        'Quelqu’un peut-il vous raccompagner et rester avec vous la première nuit?',
        {
          redFlag: {
            when: { test: 'equals', value: false },
            message: words('No ride home or overnight caregiver yet', 'Pas encore d’accompagnateur pour le retour et la première nuit'),
            to: 'task',
          },
        },
      ),
    ]),
    signature(),
  ],
}

const never = option('never', 'Not at all', 'Pas du tout')
const somewhat = option('somewhat', 'Somewhat', 'Un peu')
const often = option('often', 'A lot', 'Beaucoup')
const discuss = words('Screening answer to discuss in the consultation', 'Réponse de dépistage à aborder en consultation')

const aestheticGoals: FormDefinition = {
  title: words('Aesthetic goals', 'Objectifs esthétiques'),
  sections: [
    section('goals', words('What you would like', 'Ce que vous souhaitez'), [
      question('areas', 'body', words('Mark the areas that you would like to talk about', 'Marquez les zones dont vous aimeriez parler')),
      question(
        'goal',
        'long_text',
        words(
          'What would you like to change, and what would a good result look like to you?',
          'Qu’aimeriez-vous changer, et à quoi ressemblerait un bon résultat pour vous?',
        ),
        { ...required, mapsTo: 'goals' },
      ),
      question('since', 'text', words('Since when have you thought about it?', 'Depuis quand y pensez-vous?')),
      question('bother', 'scale', words('How much does it bother you?', 'À quel point cela vous dérange-t-il?'), {
        ...required,
        ends: { low: words('Not at all', 'Pas du tout'), high: words('Very much', 'Énormément') },
      }),
    ]),
    section(
      'appearance',
      words('How you feel about your appearance', 'Ce que vous ressentez face à votre apparence'),
      [
        question(
          'preoccupied',
          'choice',
          words('Do you think about it so much that it is hard to stop?', 'Y pensez-vous au point d’avoir du mal à vous arrêter?'),
          {
            ...required,
            options: [never, somewhat, often],
            redFlag: { when: { test: 'equals', value: 'often' }, message: discuss, to: 'alert' },
          },
        ),
        question(
          'hours',
          'number',
          words(
            'On an average day, how many hours do you think about it?',
            'Combien d’heures y pensez-vous au cours d’une journée habituelle?',
          ),
          {
            ...required,
            min: 0,
            max: 24,
            unit: 'h',
            redFlag: { when: { test: 'atLeast', value: 1 }, message: discuss, to: 'alert' },
          },
        ),
        question(
          'avoids',
          'choice',
          words(
            'Does it keep you from seeing people, working or going out?',
            'Cela vous empêche-t-il de voir des gens, de travailler ou de sortir?',
          ),
          {
            ...required,
            options: [never, somewhat, often],
            redFlag: { when: { test: 'equals', value: 'often' }, message: discuss, to: 'alert' },
          },
        ),
        yesNo('earlier_treatment', 'Have you had a treatment for it before?', 'Avez-vous déjà eu un traitement pour cela?'),
        question('satisfied', 'scale', words('How satisfied were you with the result?', 'À quel point étiez-vous satisfait du résultat?'), {
          ...required,
          showIf: ifYes('earlier_treatment'),
          ends: { low: words('Not at all', 'Pas du tout'), high: words('Very satisfied', 'Très satisfait') },
          redFlag: {
            when: { test: 'atMost', value: 3 },
            message: words('Unhappy with an earlier treatment', 'Insatisfait d’un traitement antérieur'),
            to: 'alert',
          },
        }),
      ],
      {
        help: words(
          'Many people think about how they look. Your answers help us understand what matters to you.',
          'Bien des gens pensent à leur apparence. Vos réponses nous aident à comprendre ce qui compte pour vous.',
        ),
      },
    ),
  ],
}

const symptom = (id: string, en: string, fr: string) =>
  yesNo(id, en, fr, {
    redFlag: flagIfYes('May be contagious: call before the visit', 'Peut être contagieux : appeler avant le rendez-vous', 'task'),
  })

const covid: FormDefinition = {
  title: words('COVID-19 screening', 'Dépistage de la COVID-19'),
  sections: [
    section('ten_days', words('The last ten days', 'Les dix derniers jours'), [
      symptom(
        'symptoms',
        'Do you have a fever, a new cough, a sore throat or trouble breathing?',
        'Avez-vous de la fièvre, une nouvelle toux, un mal de gorge ou de la difficulté à respirer?',
      ),
      symptom('tested_positive', 'Have you tested positive for COVID-19?', 'Avez-vous eu un test positif à la COVID-19?'),
      question('tested_on', 'date', words('When was the test?', 'Quand le test a-t-il eu lieu?'), {
        ...required,
        showIf: ifYes('tested_positive'),
        earliest: -10,
        latest: 0,
      }),
      symptom(
        'close_contact',
        'Have you been close to someone who has COVID-19?',
        'Avez-vous été en contact étroit avec une personne atteinte de la COVID-19?',
      ),
    ]),
  ],
}

const sign = (id: string, en: string, fr: string, flagEn: string, flagFr: string, rest: Rest = {}) =>
  yesNo(id, en, fr, { redFlag: flagIfYes(flagEn, flagFr, 'task'), ...rest })

const checkIn: FormDefinition = {
  title: words('How are you after your surgery?', 'Comment allez-vous après votre chirurgie?'),
  sections: [
    section('today', words('How you are today', 'Comment vous allez aujourd’hui'), [
      question('pain', 'scale', words('How much pain do you have?', 'À combien évaluez-vous votre douleur?'), {
        ...required,
        ends: { low: words('No pain', 'Aucune douleur'), high: words('The worst pain', 'La pire douleur') },
        redFlag: {
          when: { test: 'atLeast', value: 8 },
          message: words('Severe pain after surgery', 'Douleur intense après la chirurgie'),
          to: 'task',
        },
      }),
      sign(
        'breathing',
        'Do you have chest pain, trouble breathing, or pain and swelling in one leg?',
        'Avez-vous une douleur à la poitrine, de la difficulté à respirer, ou une jambe douloureuse et enflée?',
        'Chest pain, breathlessness or a swollen leg',
        'Douleur à la poitrine, essoufflement ou jambe enflée',
        {
          help: words(
            'If you have chest pain or trouble breathing, call 911 now.',
            'Si vous avez une douleur à la poitrine ou de la difficulté à respirer, appelez le 911 maintenant.',
          ),
        },
      ),
      sign(
        'fever',
        'Do you have a fever of 38 °C or more, or chills?',
        'Avez-vous une fièvre de 38 °C ou plus, ou des frissons?',
        'Fever after surgery',
        'Fièvre après la chirurgie',
      ),
      sign(
        'bleeding',
        'Is there bleeding that soaks through the dressing?',
        'Y a-t-il un saignement qui traverse le pansement?',
        'Bleeding through the dressing',
        'Saignement à travers le pansement',
      ),
      sign(
        'redness',
        'Is the redness, warmth or swelling around the incision getting worse?',
        'La rougeur, la chaleur ou l’enflure autour de l’incision augmente-t-elle?',
        'Redness or swelling is getting worse',
        'Rougeur ou enflure qui augmente',
      ),
      sign(
        'discharge',
        'Is there pus, or a bad smell?',
        'Y a-t-il du pus ou une mauvaise odeur?',
        'Pus or a bad smell',
        'Pus ou mauvaise odeur',
      ),
      question(
        'photo',
        'photo',
        words('Add a photo of the incision, if you like', 'Ajoutez une photo de l’incision, si vous le souhaitez'),
      ),
      question('comment', 'long_text', words('Is there anything else we should know?', 'Y a-t-il autre chose que nous devrions savoir?')),
    ]),
  ],
}

export const starters: Record<StarterKey, FormDefinition> = {
  medical_history: medicalHistory,
  anaesthesia,
  aesthetic_goals: aestheticGoals,
  covid,
  check_in: checkIn,
}
