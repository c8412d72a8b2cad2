import { useEffect, useState } from 'react'
import { usePractice } from '../../../../ui/client/session.ts'
import { Skeleton } from '../../../../ui/display/Skeleton.tsx'
import { formatDate, formatDay } from '../../../../ui/format.ts'
import { Card, ErrorLine, PortalButton } from '../../../../ui/patient/parts.tsx'
import { PortalFrame } from '../../../../ui/patient/PortalFrame.tsx'
import { timePoints, views } from '../../../photos/rules.ts'
import { photoUseMessages } from '../../contract.ts'

interface Shared {
  recipient: string
  patient: { name: string; dateOfBirth: string | null } | null
  expiresAt: string
  photos: { id: string; view: keyof typeof views; timePoint: keyof typeof timePoints; title: string | null; takenOn: string }[]
}
type Stage = { name: 'loading' } | { name: 'shown'; shared: Shared } | { name: 'ended'; message: string } | { name: 'failed' }

/** The page behind a link to photos, for a physician or another person outside the practice: in English, as the email is. */
export default function SharedPhotosPage() {
  const { name: practice, timeZone } = usePractice()
  const [stage, setStage] = useState<Stage>({ name: 'loading' })
  // After the #, the secret is in no log of the page itself.
  const token = location.hash.slice(1)
  const load = () => void open(token).then(setStage)
  useEffect(load, [token])
  return (
    <PortalFrame title={`Photos from ${practice}`} announcement={stage.name === 'loading' ? 'Loading' : ''}>
      <h1 className="text-3xl font-semibold md:text-4xl">Photos from {practice}</h1>
      {stage.name === 'loading' && (
        <Card className="mt-6">
          <Skeleton className="h-60 w-full" />
        </Card>
      )}
      {stage.name === 'ended' && (
        <Card className="mt-6">
          <p>{stage.message}</p>
        </Card>
      )}
      {stage.name === 'failed' && (
        <Card className="mt-6 flex flex-col items-start gap-4">
          <ErrorLine>The photos could not be loaded. Please check your connection.</ErrorLine>
          <PortalButton onClick={load}>Try again</PortalButton>
        </Card>
      )}
      {stage.name === 'shown' && (
        <>
          <p className="pt-3">
            For {stage.shared.recipient}
            {stage.shared.patient && `, about ${identify(stage.shared.patient)}`}. The link works until{' '}
            {formatDate(stage.shared.expiresAt, timeZone)}. Please do not pass it on.
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

const identify = ({ name, dateOfBirth }: NonNullable<Shared['patient']>): string =>
  dateOfBirth ? `${name}, born ${formatDay(dateOfBirth)}` : name

function Picture({ token, photo }: { token: string; photo: Shared['photos'][number] }) {
  const [isGone, setGone] = useState(false)
  const label = `${views[photo.view]}, ${photo.title ?? timePoints[photo.timePoint]}`
  return (
    <figure>
      {isGone ? (
        <p className="flex aspect-4/5 items-center justify-center rounded-lg bg-subtle p-6 text-center text-fg-2">
          This photo could not be loaded. Reload the page to try again.
        </p>
      ) : (
        <img
          src={`/api/shared-photos/${token}/${photo.id}.jpg`}
          alt={label}
          className="w-full rounded-lg bg-subtle"
          onError={() => setGone(true)}
        />
      )}
      <figcaption className="pt-2 text-title">
        {label}, {formatDay(photo.takenOn)}
      </figcaption>
    </figure>
  )
}

async function open(token: string): Promise<Stage> {
  if (token === '') return { name: 'ended', message: photoUseMessages.noLink }
  try {
    const response = await fetch(`/api/shared-photos/${encodeURIComponent(token)}`)
    if (response.ok) return { name: 'shown', shared: (await response.json()) as Shared }
    const { message } = (await response.json()) as { message: string }
    return response.status < 500 ? { name: 'ended', message } : { name: 'failed' }
  } catch {
    return { name: 'failed' }
  }
}
