import { dayAt } from '../../shared/zoned-time.ts'

/** Standard views, in the order in which they are taken. Left and right are the patient's. */
export const views = {
  front: 'Front',
  left_oblique: 'Left oblique',
  left_profile: 'Left profile',
  right_oblique: 'Right oblique',
  right_profile: 'Right profile',
  base: 'Base',
  left_side: 'Left side',
  right_side: 'Right side',
  left_back_oblique: 'Left oblique, back',
  back: 'Back',
  right_back_oblique: 'Right oblique, back',
  left_hand_back: 'Left hand, back',
  left_hand_palm: 'Left hand, palm',
  right_hand_back: 'Right hand, back',
  right_hand_palm: 'Right hand, palm',
  other: 'Other view',
} as const satisfies Record<string, string>
export type PhotoView = keyof typeof views
export const viewNames = Object.keys(views) as [PhotoView, ...PhotoView[]]

/** What a series shows, with its shot list: the views that belong to a complete series. */
export const shotLists = {
  face: { name: 'Face', views: ['front', 'left_oblique', 'left_profile', 'right_oblique', 'right_profile'] },
  nose: { name: 'Nose', views: ['front', 'left_oblique', 'left_profile', 'right_oblique', 'right_profile', 'base'] },
  breast: { name: 'Breast', views: ['front', 'left_oblique', 'left_side', 'right_oblique', 'right_side'] },
  body: {
    name: 'Body',
    views: ['front', 'left_oblique', 'left_side', 'left_back_oblique', 'back', 'right_back_oblique', 'right_side', 'right_oblique'],
  },
  hands: { name: 'Hands', views: ['left_hand_back', 'left_hand_palm', 'right_hand_back', 'right_hand_palm'] },
  other: { name: 'Other', views: [] },
} as const satisfies Record<string, { name: string; views: readonly PhotoView[] }>
export type ShotList = keyof typeof shotLists
export const shotListNames = Object.keys(shotLists) as [ShotList, ...ShotList[]]

/** When a series is taken, before or after the surgery or treatment. */
export const timePoints = {
  pre_op: 'Pre-op',
  week_1: '1 week post-op',
  week_3: '3 weeks post-op',
  month_3: '3 months post-op',
  month_6: '6 months post-op',
  year_1: '1 year post-op',
  other: 'Other',
} as const satisfies Record<string, string>
export type TimePoint = keyof typeof timePoints
export const timePointNames = Object.keys(timePoints) as [TimePoint, ...TimePoint[]]

/** In bytes. A camera's JPEG of 50 million pixels has about 25 MB. */
export const photoLimit = 50 * 1024 * 1024
/** Of one series: a burst of each view, many times. */
export const maxPhotosOfSeries = 200
/** Of one PDF: each view of two series, several times. */
export const maxPhotosOfPdf = 40
export const photoKinds = ['image/jpeg', 'image/png', 'image/heic'] as const

const rawExtensions = /\.(3fr|arw|cr2|cr3|dng|nef|nrw|orf|pef|raf|raw|rw2|srw)$/i
/** Whether a name is that of a camera's raw data, which no browser shows and which differ with each camera. */
export const isRawName = (name: string): boolean => rawExtensions.test(name)

type Shown = { view: PhotoView }
/** The views of the shot list without a photo, in order. */
export const missingViews = (shotList: ShotList, photos: readonly Shown[]): PhotoView[] =>
  shotLists[shotList].views.filter((view) => !photos.some((photo) => photo.view === view))

/** In the order of the shot list, then other views; photos of one view oldest first. */
export function inShotOrder<Photo extends Shown & { takenAt: string | Date }>(shotList: ShotList, photos: readonly Photo[]): Photo[] {
  const order: readonly PhotoView[] = shotLists[shotList].views
  const place = ({ view }: Shown) => (order.includes(view) ? order.indexOf(view) : order.length + viewNames.indexOf(view))
  return photos.toSorted((a, b) => place(a) - place(b) || new Date(a.takenAt).getTime() - new Date(b.takenAt).getTime())
}

interface Named {
  view: PhotoView
  takenAt: Date
  mimeType: (typeof photoKinds)[number]
}

/** Such as 'Left oblique 2026-11-20.jpg', with the day in the practice's time zone. */
export function fileNameOf({ view, takenAt, mimeType }: Named, timeZone: string): string {
  const extension = mimeType === 'image/jpeg' ? 'jpg' : mimeType.replace('image/', '')
  return `${views[view]} ${dayAt(takenAt, timeZone)}.${extension}`
}
