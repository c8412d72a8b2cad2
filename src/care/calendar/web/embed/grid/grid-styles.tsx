import type { CalendarOptions } from '@fullcalendar/react'

const cell = 'border border-line'

/** Styles of the calendar grid: only lines and backgrounds. Its content is rendered by grid-content.tsx. */
export const gridStyles = {
  className: 'h-full text-fg',
  viewClass: 'bg-surface',
  borderless: true,
  tableHeaderClass: 'bg-subtle',
  dayHeaderRowClass: cell,
  dayHeaderClass: `${cell} min-w-0`,
  dayHeaderInnerClass: 'flex h-(--row-head) w-full min-w-0 items-center px-1',
  dayHeaderAlign: 'start',
  dayHeaderDividerClass: 'border-b border-line',
  dayRowClass: cell,
  dayCellClass: ({ isOther }) => `${cell} ${isOther ? 'bg-subtle' : ''}`,
  dayCellTopClass: 'flex px-1 pt-1',
  dayCellBottomClass: 'h-1',
  dayLaneClass: cell,
  dayLaneInnerClass: 'mx-px',
  // A line every half hour, with stronger ones on the hour.
  slotLaneClass: ({ time, isMinor }) =>
    (time?.milliseconds ?? 0) % (30 * 60_000) === 0 ? `${cell} ${isMinor ? 'border-dotted' : ''}` : 'border border-transparent',
  slotHeaderRowClass: cell,
  slotHeaderClass: `${cell} flex justify-end border-transparent`,
  slotHeaderInnerClass: '-mt-2 w-14 pr-2 text-right text-xs text-fg-3 tabular-nums',
  slotHeaderDividerClass: 'border-e border-line',
  fillerClass: `${cell} bg-subtle`,
  nonBusinessHoursClass: 'bg-subtle',
  // Background events: times occupied by another calendar.
  backgroundEventClass: 'border-l-2 border-line-control bg-hover',
  backgroundEventInnerClass: 'p-1',
  backgroundEventContent: ({ event }) => <span className="line-clamp-3 text-xs text-fg-2">{event.title}</span>,
  highlightClass: 'bg-accent-soft',
  nowIndicatorLineClass: 'border-t-2 border-danger',
  nowIndicatorHeaderClass: 'hidden',
  rowMoreLinkClass: 'mx-1 min-h-6 rounded-xs hover:bg-hover',
  rowMoreLinkInnerClass: 'px-1 py-1 text-xs font-medium text-fg-2',
  columnMoreLinkClass: 'rounded-xs bg-hover',
  columnMoreLinkInnerClass: 'px-1 text-xs font-medium text-fg-2',
} satisfies CalendarOptions
