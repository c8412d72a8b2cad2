import { Package, Search } from 'lucide-react'
import { messageOf } from '../../../ui/client/api.ts'
import { cn } from '../../../ui/cn.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { Badge } from '../../../ui/display/Badge.tsx'
import { EmptyState, ErrorState } from '../../../ui/display/EmptyState.tsx'
import { Pagination } from '../../../ui/display/Pagination.tsx'
import { SkeletonRows } from '../../../ui/display/Skeleton.tsx'
import { None, Table, TableBody, TableHead, TableRow, Td, Th } from '../../../ui/display/Table.tsx'
import { formatCount, formatDay } from '../../../ui/format.ts'
import { useRowKeys } from '../../../ui/hooks/useRowKeys.ts'
import type { DeviceInList } from '../contract.ts'
import { deviceName } from '../rules.ts'
import { formatPieces, kindLabels, showLabels, warningOf } from './embed/labels.ts'
import type { StockListProps } from './StockToolbar.tsx'
import { usePlaces } from './embed/usePlaces.ts'
import { stockPageSize, useDevices } from './useStock.ts'

/** Same as in tokens.css. */
const rowHeight = 44
const columns = 'minmax(0,1fr) 9rem 6rem 6rem 8rem 8rem'

/** The devices of the filters, with what is in stock and what needs attention. */
export function StockList({ search, onChange, narrow, onAdd }: StockListProps & { onAdd: (() => void) | undefined }) {
  const list = useDevices(search)
  const { data } = list
  const current = useRowKeys(data?.data.map(({ id }) => id) ?? [])
  if (!data) {
    return list.error ? (
      <ErrorState title="Couldn’t load stock" onRetry={() => void list.refetch()} retrying={list.isFetching}>
        {messageOf(list.error)}
      </ErrorState>
    ) : (
      <SkeletonRows rows={12} className="min-h-0 flex-1 overflow-hidden" rowClassName={narrow ? 'h-17' : ''} />
    )
  }
  if (data.data.length === 0) return <NoDevices search={search} onChange={onChange} onAdd={onAdd} />
  const page = search.page ?? 1
  const first = (page - 1) * stockPageSize + 1
  const open = (id: string) => onChange({ device: id, page: search.page })
  return (
    <>
      <div
        className={cn('relative min-h-0 flex-1 overflow-y-auto', list.isPlaceholderData && 'opacity-60')}
        data-scroll-restoration-id="stock"
        aria-busy={list.isPlaceholderData}
      >
        {narrow ? (
          <ul aria-label="Stock">
            {data.data.map((device) => (
              <DeviceCard key={device.id} device={device} onOpen={() => open(device.id)} />
            ))}
          </ul>
        ) : (
          <Table columns={columns} aria-label="Stock">
            <TableHead>
              <Th>Device</Th>
              <Th>Kind</Th>
              <Th numeric>In stock</Th>
              <Th numeric>Minimum</Th>
              <Th>Next expiry</Th>
              <Th>Status</Th>
            </TableHead>
            <TableBody height={data.data.length * rowHeight}>
              {data.data.map((device, index) => (
                <DeviceRow
                  key={device.id}
                  device={device}
                  top={index * rowHeight}
                  isCurrent={device.id === current}
                  onOpen={() => open(device.id)}
                />
              ))}
            </TableBody>
          </Table>
        )}
      </div>
      <Pagination
        first={first}
        last={first + data.data.length - 1}
        total={data.total}
        page={page}
        pageSize={stockPageSize}
        onPageChange={(to) => onChange({ page: to > 1 ? to : undefined })}
      />
    </>
  )
}

interface RowProps {
  device: DeviceInList
  onOpen: () => void
}

function DeviceRow({ device, onOpen, top, isCurrent }: RowProps & { top: number; isCurrent: boolean }) {
  return (
    <TableRow top={top} current={isCurrent} data-row={device.id} onClick={onOpen}>
      <Td whole className="flex flex-col items-start justify-center">
        <button
          type="button"
          onClick={(event) => {
            event.stopPropagation()
            onOpen()
          }}
          className="max-w-full truncate rounded-xs text-left leading-4.5 font-medium text-fg outline-offset-1 hover:underline"
        >
          {deviceName(device)}
        </button>
        {device.udiDi && <span className="max-w-full truncate text-xs text-fg-3 tabular-nums">{device.udiDi}</span>}
      </Td>
      <Td>{kindLabels[device.kind]}</Td>
      <Td numeric className="font-medium text-fg">
        {formatCount(device.inStock)}
      </Td>
      <Td numeric>{device.minimum > 0 ? formatCount(device.minimum) : <None />}</Td>
      <Td className="tabular-nums">{device.nextExpiry ? formatDay(device.nextExpiry) : <None />}</Td>
      <Td whole>
        <Status device={device} />
      </Td>
    </TableRow>
  )
}

function Status({ device }: { device: DeviceInList }) {
  const warning = warningOf(device)
  if (warning) return <Badge tone={warning.tone}>{warning.label}</Badge>
  return device.isActive ? null : <Badge>Retired</Badge>
}

/** The row on a phone, 68 px high. */
function DeviceCard({ device, onOpen }: RowProps) {
  return (
    <li data-row={device.id} className="border-b border-line">
      <button
        type="button"
        aria-label={[deviceName(device), kindLabels[device.kind], formatPieces(device.inStock), warningOf(device)?.label]
          .filter(Boolean)
          .join(', ')}
        onClick={onOpen}
        className="flex h-17 w-full items-center gap-3 px-4 text-left outline-offset-[-2px] md:px-6"
      >
        <span className="min-w-0 flex-1">
          <span className="block truncate text-title leading-5 font-semibold text-fg">{deviceName(device)}</span>
          <span className="flex items-center gap-2 text-sm text-fg-2">
            <span className="truncate">{kindLabels[device.kind]}</span>
            <Status device={device} />
          </span>
        </span>
        <span className="flex-none text-right tabular-nums">
          <span className="block text-title leading-5 font-semibold text-fg">{formatCount(device.inStock)}</span>
          <span className="block text-sm text-fg-3">{formatPieces(device.inStock).replace(/^\S+ /, '')}</span>
        </span>
      </button>
    </li>
  )
}

function NoDevices({ search, onChange, onAdd }: Omit<StockListProps, 'narrow'> & { onAdd: (() => void) | undefined }) {
  const { nameOf } = usePlaces()
  const { show, search: term, kind, place, page } = search
  const active = [show && showLabels[show], term && `“${term}”`, kind && kindLabels[kind], place && nameOf(place), page && `Page ${page}`]
  if (active.some(Boolean))
    return (
      <EmptyState
        icon={<Search />}
        title="No device matches"
        actions={
          <Button onClick={() => onChange({ show: undefined, search: undefined, kind: undefined, place: undefined })}>Clear filters</Button>
        }
      >
        Filters are on: {active.filter(Boolean).join(', ')}.
      </EmptyState>
    )
  return (
    <EmptyState icon={<Package />} title="No devices yet" actions={onAdd && <Button onClick={onAdd}>Add device</Button>}>
      Implants, injectables and materials appear here with what is in stock, by lot and serial number.
    </EmptyState>
  )
}
