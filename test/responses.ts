/** Status and JSON body; null without one. */
export const readResponse = async (response: Response) => [response.status, await response.json().catch(() => null)] as const

/** The cookies that a response sets, as a browser sends them back. */
export const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .filter((cookie) => !/Max-Age=0/.test(cookie))
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
