import { BadRequestException, Body, Controller, Get, Post, UseGuards } from '@nestjs/common';
import { AdminApi, AuthenticatedSessionGuard, CurrentSession } from 'shopwright';
import type { AdminContext, Session } from 'shopwright';

import { DeliveryLog } from './delivery.log.js';

interface Product {
  readonly id: string;
  readonly title: string;
  readonly status: string;
}

@Controller('api')
@UseGuards(AuthenticatedSessionGuard)
export class ProductsController {
  constructor(private readonly deliveries: DeliveryLog) {}

  @Get('products')
  async list(@AdminApi() admin: AdminContext): Promise<{ products: Product[] }> {
    const { data } = await admin.graphql<{ products: { nodes: Product[] } }>(`#graphql
      query Products {
        products(first: 20, reverse: true) {
          nodes { id title status }
        }
      }`);
    return { products: data.products.nodes };
  }

  @Post('products')
  async create(
    @AdminApi() admin: AdminContext,
    @Body() body: { title?: unknown },
  ): Promise<{ product: Product }> {
    if (typeof body?.title !== 'string') throw new BadRequestException('A product needs a title.');
    const { data } = await admin.graphql<{
      productCreate: { product: Product | null; userErrors: { message: string }[] };
    }>(
      `#graphql
      mutation CreateProduct($product: ProductCreateInput!) {
        productCreate(product: $product) {
          product { id title status }
          userErrors { field message }
        }
      }`,
      { variables: { product: { title: body.title } } },
    );
    const { product, userErrors } = data.productCreate;
    if (!product) throw new BadRequestException(userErrors.map(({ message }) => message).join(' '));
    return { product };
  }

  @Get('shop')
  async shop(@AdminApi() admin: AdminContext): Promise<unknown> {
    const { body } = await admin.rest.get({ path: 'shop' });
    return body;
  }

  @Get('deliveries')
  received(@CurrentSession() session: Session): { deliveries: unknown } {
    return { deliveries: this.deliveries.of(session.shop) };
  }
}
