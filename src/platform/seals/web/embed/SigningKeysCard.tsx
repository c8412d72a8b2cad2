import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Download, FileKey2, KeyRound, RotateCw } from 'lucide-react'
import { useState } from 'react'
import { type Client, messageOf, orpc } from '../../../../ui/client/api.ts'
import { downloadBlob } from '../../../../ui/client/download-blob.ts'
import { useLive } from '../../../../ui/client/live.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { EmptyState } from '../../../../ui/display/EmptyState.tsx'
import { Asked, Section } from '../../../../ui/display/Section.tsx'
import { type Clock, formatShortDate } from '../../../../ui/format.ts'
import { ConfirmDialog } from '../../../../ui/overlays/ConfirmDialog.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { toast } from '../../../../ui/overlays/toast.ts'
import { formatFingerprint } from '../../rules.ts'

type Key = Awaited<ReturnType<Client['signingKeys']['list']>>[number]

const ExportKeyDialog = lazyDialog(
  () => import('../ExportKeyDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The keys that seal PDFs: the one in use, and earlier ones. */
export function SigningKeysCard() {
  const cache = useQueryClient()
  const clock = useClock()
  const keys = useQuery(orpc.signingKeys.list.queryOptions())
  const [isRotating, setRotating] = useState(false)
  const [exporting, setExporting] = useState<Key | null>(null)
  const refresh = () => cache.invalidateQueries({ queryKey: orpc.signingKeys.list.key() })
  useLive(['signing-key'], () => void refresh())
  const rotate = useMutation(
    orpc.signingKeys.rotate.mutationOptions({
      onSuccess() {
        toast.success('Signing key rotated')
        setRotating(false)
        return refresh()
      },
      onError: (error) => toast.error('The key was not rotated', messageOf(error)),
    }),
  )
  const hasKeys = keys.data !== undefined && keys.data.length > 0
  return (
    <Section
      id="signing-keys"
      title="Signing keys"
      actions={
        hasKeys && (
          <Button icon={<RotateCw />} onClick={() => setRotating(true)}>
            Rotate key
          </Button>
        )
      }
    >
      <p className="max-w-[60ch] pt-3 text-sm text-fg-2">
        Signed PDFs are sealed with the key in use. Anyone can check a sealed PDF on the{' '}
        <a href="/verify" target="_blank" rel="noreferrer" className="text-accent-fg underline">
          verification page
        </a>
        , or in a PDF reader with the certificate.
      </p>
      <Asked query={keys} failed="Couldn’t load the keys">
        {(list) =>
          list.length > 0 ? (
            <ul aria-label="Signing keys" className="pt-2">
              {list.map((key) => (
                <KeyLine key={key.id} signingKey={key} clock={clock} onExport={() => setExporting(key)} />
              ))}
            </ul>
          ) : (
            <EmptyState icon={<FileKey2 />} title="No signing key yet">
              The first key is created when the first PDF is sealed.
            </EmptyState>
          )
        }
      </Asked>
      {isRotating && (
        <ConfirmDialog
          onClose={() => setRotating(false)}
          title="Rotate the signing key?"
          action={{ label: 'Rotate key', busyLabel: 'Rotating…' }}
          isBusy={rotate.isPending}
          onConfirm={() => rotate.mutate({})}
        >
          From now on, PDFs are sealed with a new key. PDFs that are already sealed stay valid.
        </ConfirmDialog>
      )}
      {exporting && <ExportKeyDialog signingKey={exporting} onClose={() => setExporting(null)} />}
    </Section>
  )
}

function KeyLine({ signingKey, clock, onExport }: { signingKey: Key; clock: Clock; onExport: () => void }) {
  const { name, certificate, fingerprint, createdAt, createdBy, expiresAt, retiredAt } = signingKey
  const hint = fingerprint.slice(0, 8).toUpperCase()
  return (
    <li className="flex flex-wrap items-start gap-x-4 gap-y-2 border-b border-line py-3">
      <div className="flex min-w-0 flex-1 basis-64 flex-col gap-1">
        <p className="flex flex-wrap items-center gap-x-2">
          <span className="text-md font-medium wrap-anywhere text-fg">{name}</span>
          {retiredAt === null ? <Badge tone="success">In use</Badge> : <Badge>Retired</Badge>}
        </p>
        <p className="text-sm text-fg-2">
          Certificate (SHA-256) <span className="font-mono text-xs wrap-anywhere">{formatFingerprint(fingerprint)}</span>
        </p>
        <p className="text-sm wrap-anywhere text-fg-3">
          Created {formatShortDate(createdAt, clock)}
          {createdBy && ` by ${createdBy}`} · valid until {formatShortDate(expiresAt, clock)}
          {retiredAt !== null && ` · retired ${formatShortDate(retiredAt, clock)}`}
        </p>
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          icon={<Download />}
          aria-label={`Download certificate ${hint}`}
          onClick={() => downloadBlob(new Blob([certificate], { type: 'application/x-pem-file' }), `certificate-${hint}.pem`)}
        >
          Download certificate
        </Button>
        <Button icon={<KeyRound />} aria-label={`Export key ${hint}`} onPointerEnter={ExportKeyDialog.prepare} onClick={onExport}>
          Export key
        </Button>
      </div>
    </li>
  )
}
