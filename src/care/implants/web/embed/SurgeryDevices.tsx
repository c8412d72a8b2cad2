import { useQuery } from '@tanstack/react-query'
import { Ellipsis, PackageOpen } from 'lucide-react'
import { useState } from 'react'
import { orpc } from '../../../../ui/client/api.ts'
import { usePermission } from '../../../../ui/client/usePermission.ts'
import { Button } from '../../../../ui/controls/Button.tsx'
import { IconButton } from '../../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../../ui/display/Badge.tsx'
import { formatDay } from '../../../../ui/format.ts'
import { DropdownMenu, MenuItem } from '../../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../../ui/overlays/lazy-dialog.tsx'
import { deviceName, isImplant } from '../../../devices/rules.ts'
import { formatPieces } from '../../../devices/web/embed/labels.ts'
import { isPresent, openPieces } from '../../rules.ts'
import type { SurgeryDeviceData } from '../implant-data.ts'
import { fateLabels, formatPiece } from '../labels.ts'
import type { Step } from '../StepDialog.tsx'
import { useLiveImplants } from '../useImplants.ts'

const OpenDialog = lazyDialog(
  () => import('../OpenDialog.tsx'),
  ({ onClose }) => onClose(),
)
const StepDialog = lazyDialog(
  () => import('../StepDialog.tsx'),
  ({ onClose }) => onClose(),
)
const ExplantDialog = lazyDialog(
  () => import('../ExplantDialog.tsx'),
  ({ onClose }) => onClose(),
)

interface SurgeryDevicesProps {
  surgeryId: string
  surgeonId: string | null
  /** Whether devices may still be opened: the surgery is neither completed nor off. */
  isOpen: boolean
}

type Dialog = 'open' | { line: SurgeryDeviceData; step: Step } | { explant: SurgeryDeviceData }

/** What was opened for a surgery and what became of it, and the implants that the patient has from others. For those who may see implants. */
export function SurgeryDevices(props: SurgeryDevicesProps) {
  return usePermission()('implants.ofSurgery') ? <Devices {...props} /> : null
}

function Devices({ surgeryId, surgeonId, isOpen }: SurgeryDevicesProps) {
  const mayChange = usePermission()('implants.open')
  const found = useQuery(orpc.implants.ofSurgery.queryOptions({ input: { id: surgeryId } }))
  const [dialog, setDialog] = useState<Dialog | null>(null)
  useLiveImplants()
  const { data } = found
  if (!data)
    return found.error ? (
      <p role="alert" className="text-sm text-danger-fg">
        Couldn’t load the implants and devices.{' '}
        <Button size="sm" variant="quiet" onClick={() => void found.refetch()}>
          Try again
        </Button>
      </p>
    ) : null
  const open = data.devices.reduce((sum, line) => sum + openPieces(line), 0)
  const close = () => setDialog(null)
  return (
    <div role="group" aria-label="Implants and devices">
      <div className="flex min-h-8 items-center gap-2 border-b border-line pb-1.5">
        <h3 className="text-sm font-semibold text-fg">Implants and devices</h3>
        {open > 0 && <span className="text-sm text-warning-fg tabular-nums">{formatPieces(open)} open</span>}
        {mayChange && isOpen && (
          <Button size="sm" variant="quiet" icon={<PackageOpen />} className="ml-auto" onClick={() => setDialog('open')}>
            Open devices
          </Button>
        )}
      </div>
      {data.devices.length === 0 ? (
        <p className="py-2 text-sm text-fg-3">Nothing was opened for this surgery.</p>
      ) : (
        <ul aria-label="Opened devices">
          {data.devices.map((line) => (
            <Line key={line.id} line={line} mayChange={mayChange && isOpen} onStep={(step) => setDialog({ line, step })} />
          ))}
        </ul>
      )}
      {data.earlier.length > 0 && (
        <>
          <h4 className="pt-4 pb-1 text-xs font-medium text-fg-3">Implants from earlier surgeries</h4>
          <ul aria-label="Implants from earlier surgeries">
            {data.earlier.map((implant) => (
              <li key={implant.id} className="flex min-h-11 items-center gap-3 border-b border-line py-1.5 text-sm">
                <Name line={implant} />
                {implant.explantedOn !== null ? (
                  <Badge>Taken out</Badge>
                ) : (
                  mayChange && (
                    <Button size="sm" onClick={() => setDialog({ explant: implant })}>
                      Record explant
                    </Button>
                  )
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {dialog === 'open' && <OpenDialog surgeryId={surgeryId} onClose={close} />}
      {dialog !== null && typeof dialog === 'object' && 'line' in dialog && (
        <StepDialog line={dialog.line} step={dialog.step} surgeonId={surgeonId} onClose={close} />
      )}
      {dialog !== null && typeof dialog === 'object' && 'explant' in dialog && (
        <ExplantDialog implant={dialog.explant} surgeryId={surgeryId} onClose={close} />
      )}
    </div>
  )
}

function Name({ line }: { line: SurgeryDeviceData }) {
  return (
    <span className="min-w-0 flex-1">
      <span className="block truncate font-medium text-fg">{deviceName(line.device)}</span>
      <span className="block text-xs text-fg-3 tabular-nums">{formatPiece(line)}</span>
      {line.explantedOn !== null && (
        <span className="block text-xs text-fg-3">
          Taken out {formatDay(line.explantedOn)}: {line.explantReason}. {line.explantFate && fateLabels[line.explantFate]}
        </span>
      )}
    </span>
  )
}

/** 'Placed', '2 open, 1 used'. */
function stateOf(line: SurgeryDeviceData): string {
  const { device, quantity, used, wasted, returned } = line
  const usedWord = isImplant(device.kind) ? 'placed' : 'used'
  const parts = [
    [openPieces(line), 'open'],
    [used, usedWord],
    [wasted, 'wasted'],
    [returned, 'returned'],
  ] as const
  const shown = parts.filter(([count]) => count > 0)
  const words = quantity === 1 ? shown.map(([, word]) => word) : shown.map(([count, word]) => `${count} ${word}`)
  const text = words.join(', ')
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}

function Line({ line, mayChange, onStep }: { line: SurgeryDeviceData; mayChange: boolean; onStep: (step: Step) => void }) {
  const { device, used, explantedOn } = line
  const isOpen = openPieces(line) > 0
  const name = line.serial ? `serial ${line.serial}` : `lot ${line.lot}`
  return (
    <li className="flex min-h-11 items-center gap-3 border-b border-line py-1.5 text-sm">
      <Name line={line} />
      <Badge tone={isOpen ? 'warning' : isPresent({ ...line, kind: device.kind }) || used > 0 ? 'success' : 'neutral'}>
        {stateOf(line)}
      </Badge>
      {mayChange && (isOpen || (used > 0 && explantedOn === null)) && (
        <DropdownMenu trigger={<IconButton label={`Actions for ${name}`} size="sm" icon={<Ellipsis />} />}>
          {isOpen && (
            <>
              <MenuItem onSelect={() => onStep('use')}>{isImplant(device.kind) ? 'Place implant' : 'Record use'}</MenuItem>
              <MenuItem onSelect={() => onStep('return')}>Return to stock</MenuItem>
              <MenuItem onSelect={() => onStep('waste')}>Record waste</MenuItem>
            </>
          )}
          {used > 0 && explantedOn === null && (
            <MenuItem danger onSelect={() => onStep('correct')}>
              Correct use
            </MenuItem>
          )}
        </DropdownMenu>
      )}
    </li>
  )
}
