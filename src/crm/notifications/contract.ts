import { oc } from '@orpc/contract'
import { z } from 'zod'
import { cursorPages, instantPlace } from '../../shared/page-lists.ts'

/** Spec 3: the one type there is so far. */
const notificationTypes = ['task_overdue'] as const
export type NotificationType = (typeof notificationTypes)[number]

/** Spec 3. */
const metadata = z.object({
  task_id: z.uuid(),
  task_title: z.string(),
  task_description: z.string().nullable(),
  due_time_constraint: z.string().nullable(),
  contact_name: z.string().nullable(),
  contact_phone: z.string().nullable(),
})
export type NotificationMetadata = z.output<typeof metadata>

const notification = z.object({
  id: z.uuid(),
  userId: z.uuid(),
  type: z.enum(notificationTypes),
  /** Null: unread. */
  readAt: z.date().nullable(),
  createdAt: z.date(),
  metadata,
  taskId: z.uuid(),
  /** When the task is due, now; and whether that still is to be done. */
  dueAt: z.date(),
  /** When the task's last snooze ends, or ended. */
  snoozedUntil: z.date().nullable(),
  isOpen: z.boolean(),
  contactId: z.uuid().nullable(),
})

/** What may be told by email. */
export const preferences = ['task_assigned'] as const
export type Preference = (typeof preferences)[number]
const preference = z.object({ notificationType: z.enum(preferences), enabled: z.boolean() })

const byId = z.strictObject({ id: z.uuid() })
const tags = ['Notifications']
const pages = cursorPages(instantPlace, { limit: 30, max: 100 })
/** More than its default at once help no one. */
const unreadPages = cursorPages(instantPlace, { limit: 50, max: 100 })
const notFound = { NOT_FOUND: { status: 404, message: 'This notification does not exist' } } as const

export const notificationsContract = {
  unread: oc
    .route({
      method: 'GET',
      path: '/notifications/unread',
      tags,
      summary: "One's own unread reminders of overdue tasks, newest first, and how many there are",
    })
    .input(z.strictObject(unreadPages.input))
    .output(unreadPages.output(notification).extend({ total: z.number().int() })),
  list: oc
    .route({ method: 'GET', path: '/notifications', tags, summary: "One's own notifications, read ones too, newest first" })
    .input(z.strictObject(pages.input))
    .output(pages.output(notification)),
  read: oc
    .route({ method: 'POST', path: '/notifications/{id}/read', tags, summary: 'Mark one as read; twice does no harm' })
    .input(byId)
    .errors(notFound),
  unreadAgain: oc
    .route({ method: 'POST', path: '/notifications/{id}/unread', tags, summary: 'Mark one as unread' })
    .input(byId)
    .errors(notFound),
  readAll: oc
    .route({ method: 'POST', path: '/notifications/read', tags, summary: 'Mark all as read' })
    .output(z.object({ read: z.number().int() })),
  preferences: oc
    .route({ method: 'GET', path: '/notifications/preferences', tags, summary: 'What one is told by email' })
    .output(z.array(preference)),
  setPreference: oc
    .route({ method: 'PUT', path: '/notifications/preferences', tags, summary: 'Be told something by email, or not' })
    .input(z.strictObject(preference.shape))
    .output(z.array(preference)),
}
