import { useNavigate, useSearch } from '@tanstack/react-router'
import { Ellipsis, Lock, MapPin, PackagePlus, Plus } from 'lucide-react'
import { type ReactNode, useState } from 'react'
import { usePermission } from '../../../ui/client/usePermission.ts'
import { Button } from '../../../ui/controls/Button.tsx'
import { IconButton } from '../../../ui/controls/IconButton.tsx'
import { EmptyState } from '../../../ui/display/EmptyState.tsx'
import { TabPanel, Tabs } from '../../../ui/display/Tabs.tsx'
import { useMedia } from '../../../ui/hooks/useMedia.ts'
import { TopbarTitle } from '../../../ui/layout/TopbarTitle.tsx'
import { DropdownMenu, MenuItem } from '../../../ui/overlays/DropdownMenu.tsx'
import { lazyDialog } from '../../../ui/overlays/lazy-dialog.tsx'
import { RecallList, StartRecallButton } from '../../recalls/web/embed/RecallList.tsx'
import { showLabels } from './embed/labels.ts'
import { StockList } from './StockList.tsx'
import { StockToolbar } from './StockToolbar.tsx'
import type { Show, StockSearch } from './stock-search.ts'
import { useLiveStock, useWarnings } from './useStock.ts'

const DeviceDrawer = lazyDialog(
  () => import('./DeviceDrawer.tsx'),
  ({ onClose }) => onClose(),
)
const DeviceDialog = lazyDialog(
  () => import('./DeviceDialog.tsx'),
  ({ onClose }) => onClose(),
)
const ReceiveDialog = lazyDialog(
  () => import('./ReceiveDialog.tsx'),
  ({ onClose }) => onClose(),
)
const PlacesDialog = lazyDialog(
  () => import('./PlacesDialog.tsx'),
  ({ onClose }) => onClose(),
)

/** The page /stock: the catalogue of devices with what is in stock (issue 27). */
export default function StockPage(): ReactNode {
  const isAllowed = usePermission()('devices.list')
  return (
    <>
      <TopbarTitle title="Stock" />
      {isAllowed ? (
        <Stock />
      ) : (
        <EmptyState icon={<Lock />} title="Your role doesn’t see stock">
          Administrators, providers and the front desk keep the stock of implants, injectables and materials.
        </EmptyState>
      )}
    </>
  )
}

function Stock() {
  const search = useSearch({ from: '/staff/stock' })
  const navigate = useNavigate({ from: '/stock' })
  const may = usePermission()
  const warnings = useWarnings()
  const narrow = useMedia('(width < 60rem)')
  const [open, setOpen] = useState<'receive' | 'add' | 'places' | 'recall' | null>(null)
  useLiveStock()
  const change = (part: StockSearch, replace = false) =>
    void navigate({ to: '/stock', search: (before) => ({ ...before, page: undefined, ...part }), replace })
  const shown = search.show ?? 'all'
  const isRecalls = shown === 'recalls'
  const close = () => setOpen(null)
  const tab = (value: Show) => ({
    value,
    label: showLabels[value],
    ...(warnings && value !== 'retired' && value !== 'recalls' && { count: warnings[value] }),
  })

  return (
    <>
      <Tabs<Show | 'all'>
        aria-label="Stock"
        value={shown}
        onValueChange={(value) => change({ show: value === 'all' ? undefined : value })}
        items={[
          { value: 'all', label: 'All' },
          tab('low'),
          tab('expiring'),
          tab('expired'),
          tab('retired'),
          ...(may('recalls.list') ? [tab('recalls')] : []),
        ]}
        className="flex-1"
        actions={
          <>
            {isRecalls && <StartRecallButton narrow={narrow} onClick={() => setOpen('recall')} />}
            {!narrow && !isRecalls && may('devices.create') && (
              <Button icon={<Plus />} onPointerEnter={DeviceDialog.prepare} onClick={() => setOpen('add')}>
                Add device
              </Button>
            )}
            {!isRecalls && may('devices.receive') && (
              <Button variant="filled" icon={<PackagePlus />} onPointerEnter={ReceiveDialog.prepare} onClick={() => setOpen('receive')}>
                Receive{narrow ? '' : ' stock'}
              </Button>
            )}
            {may('devices.create') && (
              <DropdownMenu trigger={<IconButton label="More actions" variant="outlined" size="lg" icon={<Ellipsis />} />}>
                {isRecalls && may('devices.receive') && (
                  <MenuItem icon={<PackagePlus />} onSelect={() => setOpen('receive')}>
                    Receive stock
                  </MenuItem>
                )}
                {(narrow || isRecalls) && (
                  <MenuItem icon={<Plus />} onSelect={() => setOpen('add')}>
                    Add device
                  </MenuItem>
                )}
                <MenuItem icon={<MapPin />} onSelect={() => setOpen('places')}>
                  Places
                </MenuItem>
              </DropdownMenu>
            )}
          </>
        }
      >
        <TabPanel value={shown} tabIndex={-1} className="flex flex-1 flex-col">
          {isRecalls && may('recalls.list') ? (
            <RecallList
              opened={search.recall}
              onOpen={(recall) => change({ recall }, recall === undefined)}
              isStarting={open === 'recall'}
              narrow={narrow}
              onStarting={(isStarting) => setOpen(isStarting ? 'recall' : null)}
            />
          ) : (
            <>
              <StockToolbar search={search} onChange={change} />
              <StockList
                search={search}
                onChange={change}
                narrow={narrow}
                onAdd={may('devices.create') ? () => setOpen('add') : undefined}
              />
            </>
          )}
        </TabPanel>
      </Tabs>
      {search.device && <DeviceDrawer id={search.device} onClose={() => change({ device: undefined, page: search.page }, true)} />}
      {open === 'add' && <DeviceDialog device={null} onClose={close} onSaved={({ id }) => change({ device: id })} />}
      {open === 'receive' && <ReceiveDialog device={null} onClose={close} />}
      {open === 'places' && <PlacesDialog onClose={close} />}
    </>
  )
}
