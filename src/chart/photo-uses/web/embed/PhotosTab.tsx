import { Download, Images, MonitorSmartphone, Send, ShieldCheck, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ContactData } from '../../../../crm/contacts/web/embed/contact-data.ts'
import type { Directory } from '../../../../crm/contacts/web/embed/directory.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { formatDate } from '../../../../ui/format.ts'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { type NamedPhoto, PatientPhotos } from '../../../photos/web/embed/PatientPhotos.tsx'
import type { SeriesData, ShownPhoto } from '../../../photos/web/photo-data.ts'
import { purposes } from '../../rules.ts'
import { PairUses } from './PairUses.tsx'
import { usePhotoUses } from './usePhotoUses.ts'

const UsePhotosDialog = lazyDialog(
  () => import('./UsePhotosDialog.tsx'),
  ({ onClose }) => onClose(),
)
const SharePhotosDialog = lazyDialog(
  () => import('./SharePhotosDialog.tsx'),
  ({ onClose }) => onClose(),
)
const DownloadPhotosDialog = lazyDialog(
  () => import('./DownloadPhotosDialog.tsx'),
  ({ onClose }) => onClose(),
)
const DownloadOriginalDialog = lazyDialog(
  () => import('./DownloadOriginalDialog.tsx'),
  ({ onClose }) => onClose(),
)
const ReleasePhotosDialog = lazyDialog(
  () => import('./ReleasePhotosDialog.tsx'),
  ({ onClose }) => onClose(),
)
const UsesDrawer = lazyDialog(
  () => import('./UsesDrawer.tsx'),
  ({ onClose }) => onClose(),
)

/** What is open above the tab. */
type Opened =
  | { kind: 'use' | 'share' }
  | { kind: 'download'; photos: readonly NamedPhoto[] }
  | { kind: 'release'; photoIds: readonly string[] }

interface PhotosTabProps {
  patient: ContactData
  directory: Directory
}

/** The Photos tab: the photos of a patient, with what they are used for and how they leave the chart. */
export function PhotosTab({ patient, directory }: PhotosTabProps) {
  const clock = useClock()
  const uses = usePhotoUses(patient.id)
  const [opened, setOpened] = useState<Opened | null>(null)
  /** Above what is open, which keeps what was typed there. */
  const [showsUses, setShowsUses] = useState(false)
  const close = () => setOpened(null)
  const openUses = () => setShowsUses(true)
  const download = (photos: readonly NamedPhoto[]) => setOpened({ kind: 'download', photos })
  /** Into the patient's portal, or out of it if all are there. */
  const releasing = (photoIds: readonly string[]) => {
    const unreleased = photoIds.filter((id) => !uses.releaseOf(id))
    return unreleased.length === 0
      ? { label: 'Take back from portal', icon: <Undo2 />, onClick: () => void uses.takeBack(photoIds) }
      : {
          label: 'Release to portal',
          icon: <MonitorSmartphone />,
          onPointerEnter: ReleasePhotosDialog.prepare,
          onClick: () => setOpened({ kind: 'release', photoIds: unreleased }),
        }
  }
  const sharing = {
    label: 'Share',
    icon: <Send />,
    onPointerEnter: SharePhotosDialog.prepare,
    onClick: () => setOpened({ kind: 'share' }),
  }
  const actionsFor = (selected: readonly NamedPhoto[]) =>
    uses.mayUse
      ? [
          sharing,
          { label: 'Use', icon: <Images />, onPointerEnter: UsePhotosDialog.prepare, onClick: () => setOpened({ kind: 'use' }) },
          releasing(selected.map(({ id }) => id)),
          { label: 'Download', icon: <Download />, onPointerEnter: DownloadPhotosDialog.prepare, onClick: () => download(selected) },
        ]
      : []
  const renderPair = (pair: readonly ShownPhoto[], series: readonly SeriesData[]) =>
    uses.query.data && <PairUses pair={pair} series={series} consents={uses.query.data.consents} onRecord={uses.mayUse ? openUses : null} />
  const renderDialogs = (selected: readonly NamedPhoto[], nameOf: (photoId: string) => string) => {
    const photoIds = selected.map(({ id }) => id)
    const consenting = { consents: uses.query.data?.consents, onConsents: openUses }
    return (
      <>
        {opened?.kind === 'use' && (
          <UsePhotosDialog contactId={patient.id} photoIds={photoIds} onDone={uses.show} {...consenting} onClose={close} />
        )}
        {opened?.kind === 'share' && (
          <SharePhotosDialog contactId={patient.id} photoIds={photoIds} onDone={uses.show} {...consenting} onClose={close} />
        )}
        {opened?.kind === 'release' && (
          <ReleasePhotosDialog patient={patient} photoIds={opened.photoIds} onDone={uses.show} onClose={close} />
        )}
        {opened?.kind === 'download' && (
          <DownloadPhotosDialog contactId={patient.id} photos={opened.photos} {...consenting} onClose={close} />
        )}
        {showsUses && (
          <UsesDrawer contactId={patient.id} photoIds={photoIds} uses={uses} nameOf={nameOf} onClose={() => setShowsUses(false)} />
        )}
      </>
    )
  }
  return (
    <PatientPhotos
      patient={patient}
      directory={directory}
      outside={{
        usesOf: (id) =>
          [...(uses.releaseOf(id) ? ['Patient’s portal'] : []), ...uses.livePurposes(id).map((purpose) => purposes[purpose])].join(', ') ||
          null,
        actionsFor,
        renderPair,
        pairActions: uses.mayUse ? [sharing] : [],
        always: uses.mayUse && (
          <Button className="max-md:flex-1" variant="quiet" icon={<ShieldCheck />} onPointerEnter={UsesDrawer.prepare} onClick={openUses}>
            Consent and use
          </Button>
        ),
        onDownload: uses.mayUse ? download : null,
        OriginalDialog: DownloadOriginalDialog,
        ofPhoto(id, personOf) {
          const release = uses.releaseOf(id)
          const by = release && personOf(release.releasedBy)
          const since = release && `In the patient’s portal since ${formatDate(release.releasedAt, clock.timeZone)}`
          return { fact: since && (by === null ? since : `${since}, by ${by}`), action: uses.mayUse ? releasing([id]) : null }
        },
        renderDialogs,
      }}
    />
  )
}
