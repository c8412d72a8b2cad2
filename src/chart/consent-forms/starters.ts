import type { Words } from '../../shared/translations.ts'
import type { Clause, ClauseKind, ConsentDefinition } from './definition-rules.ts'
import type { StarterKey } from './starter-rules.ts'

/*
 * Consent forms to start from. Each is a draft until an administrator has adapted and published it: which risks a patient has to know, and how
 * often they occur, is for the practice's physicians to decide.
 */

const words = (en: string, fr: string): Words => ({ en, fr })

const titles: Record<ClauseKind, Words> = {
  procedure: words('What will be done', 'Ce qui sera fait'),
  risks: words('Risks', 'Risques'),
  alternatives: words('Alternatives', 'Autres possibilités'),
  photographs: words('Photographs', 'Photographies'),
  other: words('What else I know', 'Autres renseignements'),
}
const clause = (kind: ClauseKind, en: string, fr: string, rest: Partial<Clause> = {}): Clause => ({
  id: kind,
  kind,
  title: titles[kind],
  text: words(en, fr),
  needsInitials: true,
  ...rest,
})

const chartPhotos = clause(
  'photographs',
  'Photographs for my chart are part of the treatment. Any other use is asked for separately, and I can withdraw it.',
  'Les photographies pour mon dossier font partie du traitement. Toute autre utilisation m’est demandée séparément, et je peux la retirer.',
)
const commonRisks = clause(
  'other',
  'Any surgery can cause bleeding, infection, blood clots in the legs or lungs, slow healing, lasting scars, numbness and a reaction to medication. Smoking and nicotine increase these risks. The result cannot be guaranteed, and further surgery may be needed, for which there may be a fee.',
  'Toute chirurgie peut entraîner un saignement, une infection, des caillots dans les jambes ou les poumons, une guérison lente, des cicatrices permanentes, un engourdissement et une réaction à un médicament. Le tabac et la nicotine augmentent ces risques. Le résultat ne peut être garanti, et une autre chirurgie peut être nécessaire, parfois à mes frais.',
  { id: 'common_risks', kind: 'risks', title: words('Risks of any surgery', 'Risques de toute chirurgie') },
)
const freedom = clause(
  'other',
  'My questions were answered. I can refuse or withdraw my consent at any time before the procedure, without effect on my other care.',
  'On a répondu à mes questions. Je peux refuser ou retirer mon consentement à tout moment avant l’intervention, sans effet sur mes autres soins.',
  { id: 'freedom', title: words('My decision', 'Ma décision'), needsInitials: false },
)

const blank: ConsentDefinition = {
  title: words('', ''),
  use: 'procedures',
  procedureIds: [],
  intro: null,
  clauses: [],
  scopes: [],
  needsWitness: false,
  needsInterpreter: false,
  needsCountersignature: true,
}
const surgery = (title: Words, clauses: Clause[]): ConsentDefinition => ({
  ...blank,
  title,
  intro: words(
    'I, {{patient_name}}, born {{birth_date}}, consent to {{procedure}} by {{provider}} at {{practice_name}}.',
    'Je, {{patient_name}}, dont la date de naissance est le {{birth_date}}, consens à l’intervention suivante : {{procedure}}, pratiquée par {{provider}} à {{practice_name}}.',
  ),
  clauses: [...clauses, commonRisks, chartPhotos, freedom],
})

export const emptyDefinition: ConsentDefinition = {
  ...blank,
  clauses: [{ id: 'clause_1', kind: 'procedure', title: titles.procedure, text: words('', ''), needsInitials: true }],
}

interface Starter {
  definition: ConsentDefinition
  /** Which of the practice's procedures are chosen at first. */
  procedure: RegExp | null
}

export const starters: Record<StarterKey, Starter> = {
  rhinoplasty: {
    procedure: /rhinoplast/i,
    definition: surgery(words('Rhinoplasty', 'Rhinoplastie'), [
      clause(
        'procedure',
        'The bones and cartilage of the nose are reshaped, through incisions inside the nose and, if needed, a small one between the nostrils. In a septorhinoplasty the septum is straightened as well.',
        'Les os et les cartilages du nez sont remodelés par des incisions à l’intérieur du nez et, au besoin, par une petite incision entre les narines. Dans une septorhinoplastie, la cloison est aussi redressée.',
      ),
      clause(
        'risks',
        'Bleeding, infection, swelling for up to a year, numbness, a hole in the septum, difficulty breathing through the nose, a changed sense of smell, asymmetry, and the chance of further surgery.',
        'Saignement, infection, enflure pouvant durer un an, engourdissement, perforation de la cloison, difficulté à respirer par le nez, altération de l’odorat, asymétrie et possibilité d’une autre chirurgie.',
      ),
      clause(
        'alternatives',
        'No surgery, surgery of the septum alone, or fillers, each with its own limits, have been explained to me.',
        'L’absence de chirurgie, la chirurgie de la cloison seule ou les agents de comblement, chacun avec ses limites, m’ont été expliqués.',
      ),
    ]),
  },
  breast_augmentation: {
    procedure: /breast aug|augmentation mammaire/i,
    definition: surgery(words('Breast augmentation', 'Augmentation mammaire'), [
      clause(
        'procedure',
        'Implants are placed behind the breast tissue or the chest muscle, through incisions that we have discussed. Their type and size were chosen with me.',
        'Des implants sont placés derrière la glande mammaire ou le muscle pectoral, par des incisions dont nous avons discuté. Leur type et leur taille ont été choisis avec moi.',
      ),
      clause(
        'risks',
        'Bleeding, infection, hardening of the capsule around the implant, rupture, rippling, a changed or lost sensation of the nipple, asymmetry, difficulty with breastfeeding, and a rare lymphoma (BIA-ALCL). Implants do not last a lifetime: they need follow-up, and may have to be removed or replaced.',
        'Saignement, infection, durcissement de la capsule autour de l’implant, rupture, plis visibles, sensibilité du mamelon modifiée ou perdue, asymétrie, difficulté à allaiter et, rarement, un lymphome (LAGC-AIM). Les implants ne durent pas toute la vie : ils demandent un suivi et devront peut-être être retirés ou remplacés.',
      ),
      clause(
        'alternatives',
        'No surgery, fat transfer and external padding, each with its own limits, have been explained to me.',
        'L’absence de chirurgie, le transfert de graisse et les prothèses externes, chacun avec ses limites, m’ont été expliqués.',
      ),
    ]),
  },
  abdominoplasty: {
    procedure: /abdominoplast|tummy tuck/i,
    definition: surgery(words('Abdominoplasty', 'Abdominoplastie'), [
      clause(
        'procedure',
        'Excess skin and fat of the abdomen are removed, the abdominal muscles are tightened, and the navel is repositioned. A long scar remains low on the abdomen. Drains may be placed.',
        'L’excès de peau et de graisse de l’abdomen est retiré, les muscles abdominaux sont resserrés et le nombril est repositionné. Une longue cicatrice demeure au bas de l’abdomen. Des drains peuvent être installés.',
      ),
      clause(
        'risks',
        'Bleeding, fluid under the skin, infection, loss of skin or of the navel, blood clots in the legs or lungs that can be fatal, numbness, a wide scar, asymmetry, and the chance of further surgery.',
        'Saignement, accumulation de liquide sous la peau, infection, perte de peau ou du nombril, caillots dans les jambes ou les poumons pouvant être mortels, engourdissement, cicatrice large, asymétrie et possibilité d’une autre chirurgie.',
      ),
      clause(
        'alternatives',
        'No surgery, weight loss and exercise, and liposuction alone, each with its own limits, have been explained to me.',
        'L’absence de chirurgie, la perte de poids et l’exercice, ainsi que la liposuccion seule, chacun avec ses limites, m’ont été expliqués.',
      ),
    ]),
  },
  liposuction: {
    procedure: /liposuc/i,
    definition: surgery(words('Liposuction', 'Liposuccion'), [
      clause(
        'procedure',
        'Fat is removed with thin tubes through small incisions, after fluid with a local anaesthetic is injected. It changes contours and is not a treatment for excess weight.',
        'La graisse est retirée à l’aide de minces canules par de petites incisions, après l’injection d’un liquide contenant un anesthésique local. Elle modifie les contours et n’est pas un traitement de l’excès de poids.',
      ),
      clause(
        'risks',
        'Bruising and swelling for weeks, uneven contours, loose skin, numbness, fluid under the skin, burns, injury to deeper organs, blood clots or fat in the lungs that can be fatal, and a toxic effect of the anaesthetic.',
        'Ecchymoses et enflure pendant des semaines, contours irréguliers, relâchement de la peau, engourdissement, accumulation de liquide, brûlures, lésion d’organes profonds, caillots ou graisse dans les poumons pouvant être mortels et effet toxique de l’anesthésique.',
      ),
      clause(
        'alternatives',
        'No treatment, diet and exercise, treatments without surgery, and removal of skin, each with its own limits, have been explained to me.',
        'L’absence de traitement, l’alimentation et l’exercice, les traitements sans chirurgie et le retrait de peau, chacun avec ses limites, m’ont été expliqués.',
      ),
    ]),
  },
  injectables: {
    procedure: /botox|neuromodulator|filler|injectable/i,
    definition: {
      ...blank,
      title: words('Injectables', 'Produits injectables'),
      intro: words(
        'I, {{patient_name}}, consent to injections by {{provider}} at {{practice_name}}.',
        'Je, {{patient_name}}, consens à recevoir des injections par {{provider}} à {{practice_name}}.',
      ),
      needsCountersignature: false,
      clauses: [
        clause(
          'procedure',
          'A neuromodulator or a filler is injected with fine needles. The effect is temporary, and several sessions may be needed.',
          'Un neuromodulateur ou un agent de comblement est injecté avec de fines aiguilles. L’effet est temporaire, et plusieurs séances peuvent être nécessaires.',
        ),
        clause(
          'risks',
          'Bruising, swelling, pain, infection, lumps, asymmetry, a drooping eyelid or brow, an allergic reaction, and, rarely, a filler in a blood vessel, which can cause loss of skin or blindness.',
          'Ecchymoses, enflure, douleur, infection, bosses, asymétrie, affaissement de la paupière ou du sourcil, réaction allergique et, rarement, injection dans un vaisseau sanguin, qui peut causer une perte de peau ou la cécité.',
        ),
        clause(
          'alternatives',
          'No treatment, skin care, laser treatment and surgery, each with its own limits, have been explained to me.',
          'L’absence de traitement, les soins de la peau, le laser et la chirurgie, chacun avec ses limites, m’ont été expliqués.',
        ),
        clause(
          'other',
          'I am not pregnant or breastfeeding, and have told you about my medications, allergies and illnesses of nerves or muscles.',
          'Je ne suis pas enceinte et n’allaite pas, et je vous ai informé de mes médicaments, de mes allergies et de mes maladies nerveuses ou musculaires.',
        ),
        chartPhotos,
        freedom,
      ],
    },
  },
  general_anaesthesia: {
    procedure: null,
    definition: {
      ...blank,
      title: words('General anaesthesia', 'Anesthésie générale'),
      use: 'every_surgery',
      intro: words(
        'I, {{patient_name}}, born {{birth_date}}, consent to anaesthesia for {{procedure}} at {{practice_name}}.',
        'Je, {{patient_name}}, dont la date de naissance est le {{birth_date}}, consens à l’anesthésie pour l’intervention suivante : {{procedure}}, à {{practice_name}}.',
      ),
      clauses: [
        clause(
          'procedure',
          'I am unconscious during the surgery and feel no pain. A physician gives the medication, watches my breathing, heart and blood pressure, and may place a tube to help me breathe.',
          'Je suis inconscient(e) pendant la chirurgie et ne ressens aucune douleur. Un médecin administre les médicaments, surveille ma respiration, mon cœur et ma tension, et peut installer un tube pour m’aider à respirer.',
        ),
        clause(
          'risks',
          'Nausea, a sore throat, damage to teeth, confusion, an allergic reaction, aspiration into the lungs, awareness during surgery, injury to nerves, heart attack, stroke and, very rarely, death.',
          'Nausées, mal de gorge, dommages aux dents, confusion, réaction allergique, aspiration dans les poumons, éveil pendant la chirurgie, lésion nerveuse, crise cardiaque, accident vasculaire cérébral et, très rarement, décès.',
        ),
        clause(
          'alternatives',
          'Local anaesthesia, sedation and regional anaesthesia, as far as they are possible for my surgery, have been explained to me.',
          'L’anesthésie locale, la sédation et l’anesthésie régionale, lorsqu’elles conviennent à ma chirurgie, m’ont été expliquées.',
        ),
        clause(
          'other',
          'I follow the instructions about food, drink and medication. An adult takes me home and stays with me for the first night. I do not drive or sign contracts for 24 hours.',
          'Je suis les consignes sur la nourriture, les boissons et les médicaments. Un adulte me raccompagne et reste avec moi la première nuit. Je ne conduis pas et ne signe pas de contrat pendant 24 heures.',
        ),
        freedom,
      ],
    },
  },
  photo_use: {
    procedure: null,
    definition: {
      ...blank,
      title: words('Use of photographs', 'Utilisation des photographies'),
      use: 'photos',
      scopes: ['chart', 'consult_room', 'education', 'research', 'website', 'social_media'],
      needsCountersignature: false,
      intro: words(
        'I, {{patient_name}}, decide what photographs of me may be used for at {{practice_name}}.',
        'Je, {{patient_name}}, décide de l’utilisation des photographies de ma personne à {{practice_name}}.',
      ),
      clauses: [
        clause(
          'photographs',
          'I choose each use on its own. My name is never shown. My face, a tattoo or a birthmark may still let others recognize me, and what was published on the internet may have been copied.',
          'Je choisis chaque utilisation séparément. Mon nom n’est jamais affiché. Mon visage, un tatouage ou une tache de naissance peut tout de même permettre de me reconnaître, et ce qui a été publié sur Internet peut avoir été copié.',
        ),
        clause(
          'other',
          'My care does not depend on my choice. I can withdraw a use at any time: from then on photographs are no longer used for it.',
          'Mes soins ne dépendent pas de mon choix. Je peux retirer une utilisation à tout moment : à partir de ce moment, les photographies ne servent plus à cette fin.',
        ),
      ],
    },
  },
}
