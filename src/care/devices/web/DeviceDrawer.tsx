import { ArrowRightLeft, Ellipsis, Pencil, PackagePlus, Trash2, Undo2 } from 'lucide-react'
import { useState } from 'react'
import { messageOf, orpc } from '../../../ui/client/api.ts'
import { useClock } from '../../../ui/client/session.ts'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { rowsOf, usePages } from '../../../ui/client/usePages.ts'
import { cn } from '../../../ui/cn.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Fact, Facts } from '../../../ui/display/Facts.tsx'
import { Skeleton } from '../../../ui/display/Skeleton.tsx'
import { None } from '../../../ui/display/Table.tsx'
import { formatCount, formatDateTime, today } from '../../../ui/format.ts'
import { DropdownMenu, MenuItem } from '../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { SideDrawer } from '../../../ui/overlays/SideDrawer.tsx'
import { daysLater } from '../../../shared/zoned-time.ts'
import { usePeople } from '../../../crm/contacts/web/embed/useDirectory.ts'
import type { DeviceStock } from '../contract.ts'
import { deviceName, expiringDays, expiryState } from '../rules.ts'
import { formatExpiry, formatPieces, kindLabels, movementLabels, sideLabels, warningOf } from './embed/labels.ts'
import type { PieceAction, Pieces } from './PieceDialog.tsx'
import { usePlaces } from './embed/usePlaces.ts'
import { useDevice, useLiveStock } from './useStock.ts'

const DeviceDialog = lazyDialog(
  () => import('./DeviceDialog.tsx'),
  ({ onClose }) => onClose(),
)
const ReceiveDialog = lazyDialog(
  () => import('./ReceiveDialog.tsx'),
  ({ onClose }) => onClose(),
)
const PieceDialog = lazyDialog(
  () => import('./PieceDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** A device: what it is, its stock by lot and serial number, and its movements. */
export default function DeviceDrawer({ id, onClose }: { id: string; onClose: () => void }) {
  const may = usePermission()
  const found = useDevice(id)
  const [open, setOpen] = useState<'edit' | 'receive' | { pieces: Pieces; action: PieceAction } | null>(null)
  useLiveStock()
  const { data: device } = found
  const warning = device && warningOf(device)
  const close = () => setOpen(null)
  return (
    <SideDrawer
      title={device ? deviceName(device) : 'Device'}
      aside={warning && <Badge tone={warning.tone}>{warning.label}</Badge>}
      onClose={onClose}
      footer={
        device && (
          <>
            {may('devices.receive') && (
              <Button variant="filled" icon={<PackagePlus />} onClick={() => setOpen('receive')}>
                Receive stock
              </Button>
            )}
            {may('devices.update') && (
              <Button icon={<Pencil />} onClick={() => setOpen('edit')}>
                Edit device
              </Button>
            )}
          </>
        )
      }
    >
      {device ? (
        <div className="flex flex-col gap-6">
          <DeviceFacts device={device} />
          <Lots device={device} onAction={(pieces, action) => setOpen({ pieces, action })} />
          <Movements id={id} />
        </div>
      ) : found.error ? (
        <ErrorState title="Couldn’t load the device" onRetry={() => void found.refetch()} retrying={found.isFetching}>
          {messageOf(found.error)}
        </ErrorState>
      ) : (
        <div role="status" aria-label="Loading" className="flex flex-col gap-4">
          {['w-1/2', 'w-2/3', 'w-1/3', 'w-3/4', 'w-2/5'].map((width) => (
            <Skeleton key={width} className={width} />
          ))}
        </div>
      )}
      {device && open === 'edit' && <DeviceDialog device={device} onClose={close} />}
      {device && open === 'receive' && <ReceiveDialog device={device} onClose={close} />}
      {open !== null && typeof open === 'object' && <PieceDialog {...open} onClose={close} />}
    </SideDrawer>
  )
}

function DeviceFacts({ device }: { device: DeviceStock }) {
  return (
    <Facts>
      <Fact label="In stock">
        <span className="font-medium tabular-nums">{formatPieces(device.inStock)}</span>
        {device.minimum > 0 && <span className="text-fg-3"> · minimum {formatCount(device.minimum)}</span>}
      </Fact>
      <Fact label="Kind">{kindLabels[device.kind]}</Fact>
      <Fact label="UDI-DI">{device.udiDi === null ? <None /> : <span className="tabular-nums">{device.udiDi}</span>}</Fact>
      <Fact label="Made for">{device.side === null ? 'Either side' : sideLabels[device.side]}</Fact>
      <Fact label="Counted by">{device.hasSerials ? 'Serial number' : 'Lot'}</Fact>
      <Fact label="Sterile">{device.isSterile ? 'Yes' : 'No'}</Fact>
      {!device.isActive && <Fact label="Status">Retired</Fact>}
    </Facts>
  )
}

function Lots({ device, onAction }: { device: DeviceStock; onAction: (pieces: Pieces, action: PieceAction) => void }) {
  const clock = useClock()
  const may = usePermission()
  const { nameOf } = usePlaces()
  const day = today(clock)
  const days = { today: day, soon: daysLater(day, expiringDays) }
  return (
    <section aria-labelledby="lots">
      <h3 id="lots" className="border-b border-line pb-1.5 text-sm font-semibold text-fg">
        Lots in stock
      </h3>
      {device.lots.length === 0 && <p className="pt-2 text-sm text-fg-3">Nothing in stock.</p>}
      {device.lots.map(({ id: lotId, lot, expiresOn, pieces }) => {
        const state = expiryState(expiresOn, days)
        return (
          <div key={lotId} className="pt-3">
            <h4 className="flex flex-wrap items-baseline gap-x-3 text-sm">
              <span className="font-medium text-fg">Lot {lot}</span>
              <span
                className={cn(
                  'text-xs tabular-nums',
                  state === 'expired' ? 'text-danger-fg' : state === 'expiring' ? 'text-warning-fg' : 'text-fg-3',
                )}
              >
                {state === 'expired' ? formatExpiry(expiresOn).replace('Expires', 'Expired') : formatExpiry(expiresOn)}
              </span>
            </h4>
            <ul>
              {pieces.map(({ serial, placeId, quantity }) => {
                const piece = { lotId, lot, serial, placeId, quantity }
                const name = serial === null ? `lot ${lot}` : `serial ${serial}`
                return (
                  <li key={`${serial}${placeId}`} className="flex min-h-9 items-center gap-3 border-b border-line text-sm">
                    <span className="min-w-0 flex-1 truncate text-fg-2 tabular-nums">
                      {serial === null ? formatPieces(quantity) : `Serial ${serial}`}
                    </span>
                    <span className="min-w-0 truncate text-fg-3">{nameOf(placeId)}</span>
                    {may('devices.move') && (
                      <DropdownMenu trigger={<IconButton label={`Actions for ${name}`} size="sm" icon={<Ellipsis />} />}>
                        <MenuItem icon={<ArrowRightLeft />} onSelect={() => onAction(piece, 'move')}>
                          Move
                        </MenuItem>
                        <MenuItem icon={<Undo2 />} onSelect={() => onAction(piece, 'return')}>
                          Return to supplier
                        </MenuItem>
                        <MenuItem icon={<Trash2 />} danger onSelect={() => onAction(piece, 'waste')}>
                          Record waste
                        </MenuItem>
                      </DropdownMenu>
                    )}
                  </li>
                )
              })}
            </ul>
          </div>
        )
      })}
    </section>
  )
}

function Movements({ id }: { id: string }) {
  const clock = useClock()
  const people = usePeople().data ?? []
  const { nameOf } = usePlaces()
  const { list, older } = usePages(orpc.devices.movements, { id, limit: 20 })
  const rows = rowsOf(list.data)
  return (
    <section aria-labelledby="movements">
      <h3 id="movements" className="border-b border-line pb-1.5 text-sm font-semibold text-fg">
        Movements
      </h3>
      {list.error && !list.data ? (
        <p role="alert" className="pt-2 text-sm text-danger-fg">
          Couldn’t load the movements. {messageOf(list.error)}
        </p>
      ) : (
        list.data && rows.length === 0 && <p className="pt-2 text-sm text-fg-3">No movements yet.</p>
      )}
      <ul>
        {rows.map(({ id: movementId, kind, lot, serial, quantity, fromPlaceId, toPlaceId, isForSurgery, reason, by, at }) => (
          <li key={movementId} className="border-b border-line py-2 text-sm">
            <span className="flex flex-wrap items-baseline justify-between gap-x-3">
              <span className="font-medium text-fg">
                {kind === 'return' && !isForSurgery ? 'Returned to supplier' : movementLabels[kind]}
                <span className="font-regular text-fg-2 tabular-nums">
                  {' '}
                  {serial === null ? formatPieces(quantity) : `serial ${serial}`} of lot {lot}
                </span>
              </span>
              <span className="text-xs text-fg-3 tabular-nums">{formatDateTime(at, clock)}</span>
            </span>
            <span className="block text-xs text-fg-3">
              {[
                fromPlaceId && `from ${nameOf(fromPlaceId)}`,
                toPlaceId && `to ${nameOf(toPlaceId)}`,
                reason,
                by && `by ${people.find((person) => person.id === by)?.fullName ?? 'former staff'}`,
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
      {list.hasNextPage && (
        <Button className="mt-3" busy={older.isBusy} busyLabel="Loading…" onClick={older.more}>
          Show older movements
        </Button>
      )}
    </section>
  )
}
