import { Link } from '@tanstack/react-router'
import { CreditCard, ListChecks, Menu, PanelLeft, Plus, Search } from 'lucide-react'
import { DocumentsToReview } from '../../../documents/web/embed/DocumentsToReview.tsx'
import { NotificationBell } from '../../../crm/notifications/web/embed/NotificationBell.tsx'
import { Button } from '../../../ui/controls/Button.tsx'
import { cn } from '../../../ui/cn.ts'
import { DropdownMenu, MenuItem } from '../../../ui/overlays/DropdownMenu.tsx'
import { IconButton, iconButtonStyle } from '../../../ui/controls/IconButton.tsx'
import { Keys } from '../../../ui/display/Kbd.tsx'
import { Tooltip } from '../../../ui/overlays/Tooltip.tsx'
import { AvatarMenu } from './AvatarMenu.tsx'
import { prefetch } from './prefetch.ts'

export interface TopbarActions {
  toggleSidebar: () => void
  openDrawer: () => void
  openPalette: () => void
  createTask: () => void
  /** Absent without the permission. */
  takePayment: (() => void) | undefined
}

interface TopbarProps extends TopbarActions {
  sidebarOpen: boolean
  /** Unread notifications. */
  unread: number
  /** Where the page puts its title. */
  setSlot: (element: HTMLDivElement | null) => void
}

export function Topbar({ sidebarOpen, unread, setSlot, toggleSidebar, openDrawer, openPalette, createTask, takePayment }: TopbarProps) {
  return (
    <header className="@container flex h-14 flex-none items-center border-b border-line px-1 md:h-(--topbar) md:pr-4 md:pl-3">
      <div className="flex min-w-0 flex-1 items-center md:gap-2">
        <IconButton label="Menu" icon={<Menu />} size="lg" onClick={openDrawer} className="md:hidden" />
        <IconButton
          label={sidebarOpen ? 'Collapse sidebar' : 'Expand sidebar'}
          keys="mod+b"
          icon={<PanelLeft />}
          onClick={toggleSidebar}
          aria-expanded={sidebarOpen}
          className="max-md:hidden"
        />
        <div ref={setSlot} className="flex min-w-0 flex-1 items-center max-md:pl-0.5" />
      </div>

      <button
        type="button"
        onClick={openPalette}
        className="mx-4 hidden h-(--control) w-75 flex-none items-center gap-2 rounded-md border border-line bg-subtle pr-1.5 pl-2.5 text-sm text-fg-3 transition-colors duration-(--dur-1) hover:border-line-2 hover:text-fg-2 @4xl:flex"
      >
        <Search />
        <span className="flex-1 text-left">Search patients and pages</span>
        <Keys keys="mod+k" />
      </button>

      <div className="flex flex-none items-center justify-end md:gap-2 @4xl:flex-1">
        <IconButton label="Search" keys="mod+k" icon={<Search />} size="lg" onClick={openPalette} className="@4xl:hidden" />
        <Tooltip text="Tasks" keys="g t">
          <Link
            to="/tasks"
            aria-label="Tasks"
            className={iconButtonStyle()}
            onMouseEnter={() => prefetch('/tasks')}
            onFocus={() => prefetch('/tasks')}
          >
            <ListChecks />
          </Link>
        </Tooltip>
        <DocumentsToReview />
        <NotificationBell total={unread} className="max-md:mx-1" />
        <Button icon={<Plus />} onClick={createTask} className="max-md:hidden @max-3xl:hidden">
          Create Task
        </Button>
        {takePayment && (
          <Button icon={<CreditCard />} onClick={takePayment} className="max-md:hidden @max-3xl:hidden">
            Take Payment
          </Button>
        )}
        <DropdownMenu
          trigger={
            <button
              type="button"
              aria-label="Create"
              title="Create"
              className={cn(iconButtonStyle({ size: 'lg' }), 'max-md:size-9 @3xl:hidden')}
            >
              <Plus />
            </button>
          }
        >
          <MenuItem icon={<Plus />} keys="c" onSelect={createTask}>
            Create Task
          </MenuItem>
          {takePayment && (
            <MenuItem icon={<CreditCard />} onSelect={takePayment}>
              Take Payment
            </MenuItem>
          )}
        </DropdownMenu>
        <AvatarMenu />
      </div>
    </header>
  )
}
