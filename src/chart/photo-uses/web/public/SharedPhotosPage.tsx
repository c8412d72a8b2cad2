import { useEffect, useState } from 'react'
import { formatMediumDay } from '../../../../shared/translations.ts'
import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { useLanguage } from '../../../../ui/patient/language.ts'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import type { PhotoView, TimePoint } from '../../../photos/rules.ts'
import { sharedPhotosTexts } from './texts.ts'

interface Shared {
  recipient: string
  patient: { name: string; dateOfBirth: string | null } | null
  expiresAt: string
  photos: { id: string; view: PhotoView; timePoint: TimePoint; title: string | null; takenOn: string }[]
}
type Stage = { name: 'loading' } | { name: 'shown'; shared: Shared } | { name: 'ended' } | { name: 'failed' }

/** The page behind a link to photos, for a physician or another person outside the practice. */
export default function SharedPhotosPage() {
  const { name: practice, timeZone } = usePractice()
  const language = useLanguage()
  const t = sharedPhotosTexts[language]
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  // After the #, the secret is in no log of the page itself.
  const token = location.hash.slice(1)
  const load = () => void open(token).then(setStage)
  useEffect(load, [token])
  function addressed({ recipient, patient }: Shared): string {
    if (!patient) return t('recipient', { recipient })
    const { name, dateOfBirth } = patient
    const identified = dateOfBirth ? t('born', { name, day: formatMediumDay(dateOfBirth, language) }) : name
    return t('recipientAbout', { recipient, patient: identified })
  }
  return (
    <PortalFrame title={t('title', { practice })} announcement={stage.name === 'loading' ? t('loading') : ''}>
      <h1 className="text-3xl font-semibold md:text-4xl">{t('title', { practice })}</h1>
      {stage.name === 'loading' && (
        <Card className="mt-6">
          <Skeleton className="h-60 w-full" />
        </Card>
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
            {addressed(stage.shared)} {t('until', { day: formatMediumDay(stage.shared.expiresAt, language, timeZone) })}
          </p>
          <ul className="grid gap-6 pt-6 sm:grid-cols-2">
            {stage.shared.photos.map((photo) => (
              <li key={photo.id}>
                <Picture token={token} photo={photo} />
              </li>
            ))}
          </ul>
        </>
      )}
    </PortalFrame>
  )
}

function Picture({ token, photo }: { token: string; photo: Shared['photos'][number] }) {
  const [isGone, setGone] = useState(false)
  const language = useLanguage()
  const t = sharedPhotosTexts[language]
  const label = `${t(`views.${photo.view}`)}, ${photo.title ?? t(`times.${photo.timePoint}`)}`
  const file = `/api/shared-photos/${token}/${photo.id}.jpg`
  return (
    <figure>
      {isGone ? (
        <p className="flex aspect-4/5 items-center justify-center rounded-lg bg-subtle p-6 text-center text-fg-2">{t('notLoaded')}</p>
      ) : (
        <a href={file} target="_blank" rel="noreferrer" aria-label={t('enlarge', { photo: label })} className="block cursor-zoom-in">
          <img src={file} alt={label} className="w-full rounded-lg bg-subtle" onError={() => setGone(true)} />
        </a>
      )}
      <figcaption className="pt-2 text-title">{t('caption', { photo: label, day: formatMediumDay(photo.takenOn, language) })}</figcaption>
    </figure>
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
