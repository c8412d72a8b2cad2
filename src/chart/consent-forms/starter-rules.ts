/** The consent forms that come with the product, to be adapted and published (starters.ts). */
export const starterNames = {
  rhinoplasty: 'Rhinoplasty and septorhinoplasty',
  breast_augmentation: 'Breast augmentation',
  abdominoplasty: 'Abdominoplasty',
  liposuction: 'Liposuction',
  injectables: 'Injectables',
  general_anaesthesia: 'General anaesthesia',
  photo_use: 'Photo use',
} as const
export type StarterKey = keyof typeof starterNames
