import type { Concern, Procedure } from './procedures.ts'

interface Text {
  en: string
  fr: string
}

const list = (items: readonly string[]): string => items.map((item) => `- ${item}`).join('\n')
const joined = (parts: readonly Text[]): Text => ({
  en: parts.map(({ en }) => en).join('\n\n'),
  fr: parts.map(({ fr }) => fr).join('\n\n'),
})

const before: Text = {
  en: `Two weeks before
${list([
  'Stop smoking, vaping and nicotine patches. They slow healing.',
  'Tell us about every medication, vitamin and herbal product you take. Stop blood thinners, ibuprofen and fish oil only as we told you.',
  'Arrange for an adult to drive you home and stay with you the first night.',
])}

The day before
${list(['Eat nothing after midnight. You may drink clear water until three hours before you arrive.', 'Shower with your usual soap. Use no lotion, makeup or nail polish.'])}

On the day
${list(['Arrive an hour before your surgery with your health card and a list of your medications.', 'Wear loose clothes that open at the front, and leave jewellery and contact lenses at home.'])}`,
  fr: `Deux semaines avant
${list([
  'Cessez de fumer et de vapoter, et n’utilisez aucun timbre de nicotine : la nicotine ralentit la guérison.',
  'Dites-nous tous les médicaments, vitamines et produits naturels que vous prenez. Cessez les anticoagulants, l’ibuprofène et l’huile de poisson seulement selon nos consignes.',
  'Prévoyez qu’un adulte vous ramène à la maison et reste avec vous la première nuit.',
])}

La veille
${list(['Ne mangez rien après minuit. Vous pouvez boire de l’eau claire jusqu’à trois heures avant votre arrivée.', 'Prenez une douche avec votre savon habituel. N’utilisez ni lotion, ni maquillage, ni vernis à ongles.'])}

Le jour même
${list(['Arrivez une heure avant votre chirurgie avec votre carte d’assurance maladie et la liste de vos médicaments.', 'Portez des vêtements amples qui s’ouvrent à l’avant, et laissez vos bijoux et vos verres de contact à la maison.'])}`,
}

const call: Text = {
  en: `Call us at once if you have
${list(['a fever above 38.5 °C', 'swelling that grows quickly on one side, or bleeding that does not stop', 'pain that your medication does not relieve'])}

Trouble breathing or chest pain is an emergency: call 911.`,
  fr: `Appelez-nous sans tarder si vous avez
${list(['une fièvre de plus de 38,5 °C', 'une enflure qui augmente vite d’un côté, ou un saignement qui ne s’arrête pas', 'une douleur que vos médicaments ne soulagent pas'])}

Une difficulté à respirer ou une douleur à la poitrine est une urgence : composez le 911.`,
}

const after: Record<'nose' | 'face' | 'lids' | 'breast' | 'body', Text> = {
  nose: {
    en: `The first week
${list([
  'Sleep on your back with your head raised on two pillows.',
  'Keep the splint dry and do not take it off. We remove it at your first visit.',
  'Do not blow your nose. Sneeze with your mouth open.',
  'Bruises around the eyes are normal and fade within ten days.',
])}

Until six weeks
${list(['Rest no glasses on your nose; we will show you how to tape them.', 'No contact sports, no swimming, and no heavy lifting for three weeks.', 'Protect your nose from the sun.'])}`,
    fr: `La première semaine
${list([
  'Dormez sur le dos, la tête surélevée par deux oreillers.',
  'Gardez l’attelle au sec et ne l’enlevez pas. Nous la retirons à votre premier rendez-vous.',
  'Ne vous mouchez pas. Éternuez la bouche ouverte.',
  'Les ecchymoses autour des yeux sont normales et s’estompent en dix jours.',
])}

Jusqu’à six semaines
${list(['Ne posez pas de lunettes sur votre nez; nous vous montrerons comment les fixer.', 'Pas de sports de contact ni de baignade, et aucune charge lourde pendant trois semaines.', 'Protégez votre nez du soleil.'])}`,
  },
  face: {
    en: `The first week
${list([
  'Keep your head raised, also at night.',
  'Wear the head dressing as we showed you. You may take it off to shower from the third day on.',
  'Wash your hair gently with baby shampoo, and let it dry by itself.',
])}

Until four weeks
${list(['Turn your whole body instead of bending your neck.', 'No makeup on the incisions until we agree, and no hair colour for a month.', 'Walk every day; wait with sports until the fourth week.'])}`,
    fr: `La première semaine
${list([
  'Gardez la tête surélevée, la nuit aussi.',
  'Portez le pansement comme nous vous l’avons montré. Vous pouvez l’enlever pour la douche à partir du troisième jour.',
  'Lavez vos cheveux doucement avec un shampoing pour bébé et laissez-les sécher à l’air.',
])}

Jusqu’à quatre semaines
${list(['Tournez tout le corps plutôt que de plier le cou.', 'Pas de maquillage sur les incisions avant notre accord, et pas de coloration pendant un mois.', 'Marchez chaque jour; attendez la quatrième semaine pour le sport.'])}`,
  },
  lids: {
    en: `The first days
${list([
  'Lay cool, clean compresses on your eyes for ten minutes each hour while you are awake.',
  'Use the eye drops and the ointment as prescribed. Your sight may be blurry after the ointment.',
  'Rest your eyes from screens and reading when they tire.',
])}

Until two weeks
${list(['No contact lenses and no eye makeup.', 'Wear sunglasses outside.', 'Do not bend down or lift anything heavy.'])}`,
    fr: `Les premiers jours
${list([
  'Appliquez des compresses fraîches et propres sur vos yeux dix minutes par heure pendant la journée.',
  'Utilisez les gouttes et l’onguent selon l’ordonnance. Votre vue peut être embrouillée après l’onguent.',
  'Reposez vos yeux des écrans et de la lecture dès qu’ils se fatiguent.',
])}

Jusqu’à deux semaines
${list(['Pas de verres de contact ni de maquillage des yeux.', 'Portez des lunettes de soleil à l’extérieur.', 'Ne vous penchez pas et ne soulevez rien de lourd.'])}`,
  },
  breast: {
    en: `The first week
${list([
  'Wear the surgical bra day and night. Take it off to shower only, from the second day on.',
  'Keep your elbows at your sides and lift nothing heavier than a kettle.',
  'Walk a little several times a day, so that no blood clots form in your legs.',
  'Tightness and a feeling of pressure are normal.',
])}

Until six weeks
${list(['Sleep on your back.', 'No running, swimming or exercises with your arms until we agree.', 'Drive again when you take no strong pain medication and can turn the wheel without pain.'])}`,
    fr: `La première semaine
${list([
  'Portez le soutien-gorge chirurgical jour et nuit. Enlevez-le seulement pour la douche, à partir du deuxième jour.',
  'Gardez les coudes près du corps et ne soulevez rien de plus lourd qu’une bouilloire.',
  'Marchez un peu plusieurs fois par jour pour éviter la formation de caillots dans les jambes.',
  'Une sensation de tension et de pression est normale.',
])}

Jusqu’à six semaines
${list(['Dormez sur le dos.', 'Pas de course, de baignade ni d’exercices des bras avant notre accord.', 'Conduisez de nouveau lorsque vous ne prenez plus d’antidouleur puissant et pouvez tourner le volant sans douleur.'])}`,
  },
  body: {
    en: `The first week
${list([
  'Wear the compression garment day and night. Take it off to shower only.',
  'Walk slightly bent for the first days, and rest with your knees raised.',
  'Empty the drains twice a day and write down the amounts, if you have drains.',
  'Drink plenty of water.',
])}

Until six weeks
${list(['Lift nothing heavier than 5 kg.', 'Walk every day; begin with sports when we agree.', 'Swelling goes down over three months. The result shows slowly.'])}`,
    fr: `La première semaine
${list([
  'Portez le vêtement de compression jour et nuit. Enlevez-le seulement pour la douche.',
  'Marchez légèrement penché les premiers jours et reposez-vous les genoux relevés.',
  'Si vous avez des drains, videz-les deux fois par jour et notez les quantités.',
  'Buvez beaucoup d’eau.',
])}

Jusqu’à six semaines
${list(['Ne soulevez rien de plus de 5 kg.', 'Marchez chaque jour; reprenez le sport lorsque nous sommes d’accord.', 'L’enflure diminue pendant trois mois. Le résultat se voit peu à peu.'])}`,
  },
}

const partOf: Partial<Record<Concern, keyof typeof after>> = {
  nose: 'nose',
  'second nose': 'nose',
  face: 'face',
  chin: 'face',
  ears: 'face',
  lids: 'lids',
  crease: 'lids',
  augmentation: 'breast',
  reduction: 'breast',
  'breast lift': 'breast',
  exchange: 'breast',
  chest: 'breast',
  tummy: 'body',
  fat: 'body',
  'loose skin': 'body',
}

/** What the demo clinic tells patients before and after a surgery; none for smaller treatments. */
export function instructionsFor({ name, concern }: Procedure) {
  const part = partOf[concern]
  if (!part) return []
  const aftercare = joined([after[part], call])
  return [{ procedure: name, preparation_en: before.en, preparation_fr: before.fr, aftercare_en: aftercare.en, aftercare_fr: aftercare.fr }]
}
