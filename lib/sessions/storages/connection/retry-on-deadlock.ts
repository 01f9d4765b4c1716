/** How often a statement is sent that the server has undone in favour of another. */
const ATTEMPTS = 5;

/**
 * Of two statements that wait for one another the server undoes one, which may be sent again.
 * @throws what else `send` rejects with
 */
export async function retryOnDeadlock<T>(
  isDeadlock: (error: unknown) => boolean,
  send: () => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await send();
    } catch (error) {
      if (attempt === ATTEMPTS || !isDeadlock(error)) throw error;
    }
  }
}
