import { useEffect, useState } from 'react'
import { formatMediumDay } from '../../../../shared/translations.ts'
import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { Dialog, DialogBody } from '../../../../ui/overlays/Dialog.tsx'
import { useLanguage } from '../../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { PhotoPager } from '../../../../ui/patient/PhotoPager.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import { frameTexts } from '../../../../ui/patient/texts.ts'
import { unbroken } from '../../../../ui/unbroken.ts'
import type { PhotoView, TimePoint } from '../../../photos/rules.ts'
import { sharedPhotosTexts } from './texts.ts'

interface SharedPhoto {
  id: string
  view: PhotoView
  timePoint: TimePoint
  title: string | null
  takenOn: string
}
interface Shared {
  recipient: string
  patient: { name: string; dateOfBirth: string | null } | null
  expiresAt: string
  photos: SharedPhoto[]
}
type Stage = { name: 'loading' } | { name: 'shown'; shared: Shared } | { name: 'ended' } | { name: 'failed' }

/** The page behind a link to photos, for a physician or another person outside the practice. */
export default function SharedPhotosPage() {
  const { name: practice, timeZone } = usePractice()
  const language = useLanguage()
  const t = sharedPhotosTexts[language]
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  const [enlarged, setEnlarged] = useState<string | null>(null)
  // After the #, the secret is in no log of the page itself.
  const token = location.hash.slice(1)
  const load = () => void open(token).then(setStage)
  useEffect(load, [token])
  const dayOf = (day: string, zone?: string) => unbroken(formatMediumDay(day, language, zone))
  function addressed({ recipient, patient }: Shared): string {
    if (!patient) return t('recipient', { recipient })
    const { name, dateOfBirth } = patient
    const identified = dateOfBirth ? t('born', { name, day: dayOf(dateOfBirth) }) : name
    return t('recipientAbout', { recipient, patient: identified })
  }
  return (
    <PortalFrame title={t('title', { practice })} announcement={stage.name === 'loading' ? t('loading') : ''}>
      <h1 className="text-3xl font-semibold md:text-4xl">{t('title', { practice })}</h1>
      {stage.name === 'loading' && (
        <>
          <Skeleton className="mt-3 h-6 w-full bg-active" />
          <div className="grid gap-6 pt-6 sm:grid-cols-2">
            <Skeleton className="aspect-3/4 h-auto w-full rounded-lg bg-active" />
            <Skeleton className="aspect-3/4 h-auto w-full rounded-lg bg-active max-sm:hidden" />
          </div>
        </>
      )}
      {stage.name === 'ended' && (
        <Card className="mt-6">
          <p>{t('ended')}</p>
        </Card>
      )}
      {stage.name === 'failed' && (
        <Card className="mt-6 flex flex-col items-start gap-4">
          <ErrorLine>{t('failed')}</ErrorLine>
          <PortalButton onClick={load}>{t('retry')}</PortalButton>
        </Card>
      )}
      {stage.name === 'shown' && (
        <>
          <p className="pt-3">
            {addressed(stage.shared)} {t('until', { day: dayOf(stage.shared.expiresAt, timeZone) })}
          </p>
          <ul className="grid gap-6 pt-6 sm:grid-cols-2">
            {stage.shared.photos.map((photo) => (
              <li key={photo.id}>
                <Picture token={token} photo={photo} onEnlarge={() => setEnlarged(photo.id)} />
              </li>
            ))}
          </ul>
          {enlarged !== null && (
            <EnlargedPhoto
              token={token}
              photos={stage.shared.photos}
              shown={stage.shared.photos.findIndex(({ id }) => id === enlarged)}
              onShow={(place) => setEnlarged(stage.shared.photos[place]!.id)}
              onClose={() => setEnlarged(null)}
            />
          )}
        </>
      )}
    </PortalFrame>
  )
}

const fileOf = (token: string, { id }: SharedPhoto): string => `/api/shared-photos/${token}/${id}.jpg`

/** 'Front, 3 weeks post-op' */
function useLabel() {
  const t = sharedPhotosTexts[useLanguage()]
  return ({ view, title, timePoint }: SharedPhoto) => `${t(`views.${view}`)}, ${title ?? t(`times.${timePoint}`)}`
}

function Picture({ token, photo, onEnlarge }: { token: string; photo: SharedPhoto; onEnlarge: () => void }) {
  const [isGone, setGone] = useState(false)
  const language = useLanguage()
  const t = sharedPhotosTexts[language]
  const label = useLabel()(photo)
  return (
    <figure>
      {isGone ? (
        <p className="flex aspect-3/4 items-center justify-center rounded-lg bg-subtle p-6 text-center text-fg-2">{t('notLoaded')}</p>
      ) : (
        <button
          type="button"
          aria-label={t('enlarge', { photo: label })}
          className="block w-full cursor-zoom-in rounded-lg outline-offset-2"
          onClick={onEnlarge}
        >
          {/* Until its size is known, a photo takes the place of one that stands upright. */}
          <img
            src={fileOf(token, photo)}
            alt={label}
            className="aspect-[auto_3/4] w-full rounded-lg bg-subtle"
            onError={() => setGone(true)}
          />
        </button>
      )}
      <figcaption className="pt-2 text-title">
        {t('caption', { photo: label, day: unbroken(formatMediumDay(photo.takenOn, language)) })}
      </figcaption>
    </figure>
  )
}

interface EnlargedPhotoProps {
  token: string
  photos: readonly SharedPhoto[]
  /** The place of the photo that is shown. */
  shown: number
  onShow: (place: number) => void
  onClose: () => void
}

function EnlargedPhoto({ token, photos, shown, onShow, onClose }: EnlargedPhotoProps) {
  const language = useLanguage()
  const label = useLabel()
  const photo = photos[shown]!
  return (
    <Dialog
      onClose={onClose}
      title={label(photo)}
      description={formatMediumDay(photo.takenOn, language)}
      size="viewer"
      head={{ isRoomy: true, closeLabel: frameTexts[language]('close') }}
    >
      <DialogBody className="flex bg-subtle max-md:p-0" tabIndex={0} aria-label={label(photo)} role="region">
        <img src={fileOf(token, photo)} alt={label(photo)} className="max-h-full w-full object-contain md:h-[calc(100dvh-15.5rem)]" />
      </DialogBody>
      <PhotoPager place={shown} total={photos.length} onShow={onShow} />
    </Dialog>
  )
}

async function open(token: string): Promise<Stage> {
  if (token === '') return { name: 'ended' }
  try {
    const response = await fetch(`/api/shared-photos/${encodeURIComponent(token)}`)
    if (response.ok) return { name: 'shown', shared: (await response.json()) as Shared }
    return response.status === 404 || response.status === 422 ? { name: 'ended' } : { name: 'failed' }
  } catch {
    return { name: 'failed' }
  }
}
