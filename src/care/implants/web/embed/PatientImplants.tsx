import { useQuery } from '@tanstack/react-query'
import { FileText } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { useClock } from '../../../../ui/client/session.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { formatDate, formatDay } from '../../../../ui/format.ts'
import { DropdownMenu } from '../../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { PdfLanguageItems } from '../../../../ui/overlays/PdfLanguageItems.tsx'
import { deviceName } from '../../../devices/rules.ts'
import { ChartSection } from '../../../../chart/health/web/embed/ChartSection.tsx'
import type { ImplantData } from '../implant-data.ts'
import { fateLabels, formatPiece } from '../labels.ts'
import { useLiveImplants } from '../useImplants.ts'

const ExplantDialog = lazyDialog(
  () => import('../ExplantDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The implants that were placed from stock, with lot and serial number, and the card for the patient. Hidden for a patient without any. */
export function PatientImplants({ contactId }: { contactId: string }) {
  return usePermission()('implants.ofContact') ? <Implants contactId={contactId} /> : null
}

function Implants({ contactId }: { contactId: string }) {
  const clock = useClock()
  const mayChange = usePermission()('implants.explant')
  const found = useQuery(orpc.implants.ofContact.queryOptions({ input: { contactId } }))
  const [explant, setExplant] = useState<ImplantData | null>(null)
  useLiveImplants()
  if (found.error && !found.data)
    return (
      <p role="alert" className="text-sm text-danger-fg">
        Couldn’t load the implants.{' '}
        <Button size="sm" variant="quiet" onClick={() => void found.refetch()}>
          Try again
        </Button>
      </p>
    )
  if (!found.data || found.data.length === 0) return null
  return (
    <ChartSection
      title="Implants placed here"
      actions={
        <DropdownMenu
          trigger={
            <Button size="sm" variant="quiet" icon={<FileText />}>
              Implant card
            </Button>
          }
        >
          <PdfLanguageItems href={`/api/contacts/${contactId}/implant-card.pdf`} label="Card" />
        </DropdownMenu>
      }
    >
      <ul aria-label="Implants placed here">
        {found.data.map((implant) => (
          <li key={implant.id} className="flex min-h-11 items-center gap-3 border-b border-line py-1.5 text-sm">
            <span className="min-w-0 flex-1">
              <span className="block truncate font-medium text-fg">{deviceName(implant.device)}</span>
              <span className="block text-xs text-fg-3 tabular-nums">
                {formatPiece(implant)}, placed {formatDate(implant.usedAt ?? implant.openedAt, clock.timeZone)}
              </span>
              {implant.explantedOn !== null && (
                <span className="block text-xs text-fg-3">
                  Taken out {formatDay(implant.explantedOn)}: {implant.explantReason}.{' '}
                  {implant.explantFate && fateLabels[implant.explantFate]}
                </span>
              )}
            </span>
            {implant.explantedOn !== null ? (
              <Badge>Taken out</Badge>
            ) : (
              mayChange && (
                <Button size="sm" variant="quiet" onClick={() => setExplant(implant)}>
                  Record explant
                </Button>
              )
            )}
          </li>
        ))}
      </ul>
      {explant && <ExplantDialog implant={explant} surgeryId={null} onClose={() => setExplant(null)} />}
    </ChartSection>
  )
}
